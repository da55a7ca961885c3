package io.feedline.formats.text.internal;

import com.github.luben.zstd.ZstdInputStream;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.RequiredLibrary;
import io.feedline.internal.FileOpener;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * The opener of lines that are compressed, or far away; found by {@link java.util.ServiceLoader}. A
 * file may consist of several compressed ones, as {@code pigz}, {@code bgzip}, {@code pzstd} and
 * {@code cat} make them.
 */
public final class PackedFileOpener implements FileOpener {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAGIC_BYTES = 4;

  private static final RequiredLibrary ZSTD =
      new RequiredLibrary(
          "a file compressed with Zstandard",
          "io.feedline:loader-text",
          "com.github.luben.zstd.Zstd");

  /** Creates the registry's entry; called by {@link java.util.ServiceLoader}, not by users. */
  public PackedFileOpener() {}

  @Override
  public InputStream open(Path file) throws IOException {
    OpenFile open = OpenFile.of(file);
    try {
      // It knows how much is left, by which GZIPInputStream sees that another member follows.
      BufferedInputStream in = new BufferedInputStream(open.stream(), BUFFER_BYTES);
      in.mark(MAGIC_BYTES);
      byte[] start = in.readNBytes(MAGIC_BYTES);
      in.reset();
      String compression = FileOpener.compression(start, start.length);
      if (compression == null) {
        return in;
      }
      return unpacked(file, in, compression);
    } catch (IOException | RuntimeException | Error failure) {
      open.close();
      throw failure;
    }
  }

  private static InputStream unpacked(Path file, InputStream in, String compression)
      throws IOException {
    if (!compression.equals("gzip")) {
      ZSTD.require();
      return new ZstdInputStream(in);
    }
    try {
      return new GZIPInputStream(in, BUFFER_BYTES);
    } catch (IOException e) {
      throw new IOException(
          "%s begins as gzip, and has no header of it: %s".formatted(file, e.getMessage()), e);
    }
  }
}
