package io.feedline.formats.text.internal;

import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.Unpacked;
import io.feedline.internal.FileOpener;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipException;

/**
 * The opener of files of lines that are compressed, or on a remote file system; found by {@link
 * java.util.ServiceLoader}. A file may consist of several compressed files in a row, as {@code
 * pigz}, {@code bgzip}, {@code pzstd} and {@code cat} write them.
 */
public final class PackedFileOpener implements FileOpener {

  private static final int BUFFER_BYTES = 1 << 16;

  public PackedFileOpener() {}

  @Override
  public InputStream open(Path file) throws IOException {
    OpenFile open = OpenFile.of(file);
    try {
      BufferedInputStream in = new BufferedInputStream(open.stream(), BUFFER_BYTES);
      in.mark(FileOpener.MAGIC_BYTES);
      byte[] start = in.readNBytes(FileOpener.MAGIC_BYTES);
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
    try {
      return Unpacked.of(compression, in, "io.feedline:loader-text");
    } catch (ZipException | EOFException damaged) {
      throw new IOException("%s: %s".formatted(file, damaged.getMessage()), damaged);
    }
  }
}
