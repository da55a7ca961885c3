package io.feedline.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * An opener of files that loader-core cannot read well by itself: compressed files, which need a
 * library, and remote files, whose bytes are better requested ahead. {@link ServiceLoader} finds
 * it; loader-text contains one implementation. Thread-safe.
 */
public interface FileOpener {

  int MAGIC_BYTES = 10;

  /**
   * Opens a file, whose unpacked bytes the stream reads from front to back; reports the bytes read
   * to {@link ReadMeter}. The caller closes the stream; an interrupt does not close it.
   */
  InputStream open(Path file) throws IOException;

  static Optional<FileOpener> find() {
    return ServiceLoader.load(FileOpener.class, FileOpener.class.getClassLoader()).findFirst();
  }

  /**
   * Returns the compression of a file by its first bytes: {@code gzip}, {@code Zstandard}, {@code
   * bzip2} or {@code xz}; null for other bytes. An opener may refuse some compressions.
   */
  static @Nullable String compression(byte[] start, int length) {
    if (length >= 2 && (start[0] & 0xff) == 0x1f && (start[1] & 0xff) == 0x8b) {
      return "gzip";
    }
    String text = new String(start, 0, Math.min(length, MAGIC_BYTES), StandardCharsets.ISO_8859_1);
    if (text.matches("BZh[1-9]1AY&SY")) {
      return "bzip2";
    }
    if (text.startsWith("\u00fd7zXZ\0")) {
      return "xz";
    }
    if (length < 4) {
      return null;
    }
    int magic = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt();
    // A frame, or a skippable frame, with which pzstd's files begin.
    return magic == 0xFD2FB528 || (magic & 0xFFFFFFF0) == 0x184D2A50 ? "Zstandard" : null;
  }
}
