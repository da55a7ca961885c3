/** Compressed lines, JSON lines, and files of token ids. */
module io.feedline.text {
  requires transitive com.google.gson;
  requires transitive io.feedline.core;
  requires com.github.luben.zstd_jni;
  requires io.feedline.store;

  exports io.feedline.formats.text;

  provides io.feedline.internal.FileOpener with
      io.feedline.formats.text.internal.PackedFileOpener;
}
