package io.feedline.formats.store.internal.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * A stream that unpacks a gzip file, which consists of one or more members (RFC 1952), or a zlib
 * stream. {@link java.util.zip.GZIPInputStream} is not used, because it ends without an error if a
 * later member has a damaged header. Not thread-safe. The caller closes the stream, which closes
 * the packed stream.
 */
final class GzipStream extends InputStream {

  private static final int BUFFER_BYTES = 1 << 16;

  private static final int CHECKSUM_OF_HEADER = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  private final InputStream in;
  private final boolean gzip;
  private final Inflater inflater;
  private final CRC32 checksum = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int filled;
  private long bufferOffset;

  private boolean ended;

  private GzipStream(InputStream in, boolean gzip) {
    this.in = in;
    this.gzip = gzip;
    this.inflater = new Inflater(gzip);
  }

  static GzipStream gzip(InputStream in) throws IOException {
    GzipStream stream = new GzipStream(in, true);
    try {
      stream.readHeader();
      return stream;
    } catch (IOException | RuntimeException failure) {
      stream.inflater.end();
      throw failure;
    }
  }

  static GzipStream zlib(InputStream in) {
    return new GzipStream(in, false);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    Unpacked.requireNotInterrupted();
    try {
      while (!ended) {
        int count = inflater.inflate(target, offset, length);
        if (count > 0) {
          if (gzip) {
            checksum.update(target, offset, count);
          }
          return count;
        }
        if (inflater.finished()) {
          endMember();
        } else if (inflater.needsDictionary()) {
          throw new ZipException("a dictionary is needed that the file does not have");
        } else {
          requireMore("the compressed data");
          inflater.setInput(buffer, next, filled - next);
          next = filled;
        }
      }
      return -1;
    } catch (DataFormatException damaged) {
      throw (ZipException)
          new ZipException("damaged before byte %d: %s".formatted(position(), damaged.getMessage()))
              .initCause(damaged);
    }
  }

  private long position() {
    return bufferOffset + next;
  }

  private void endMember() throws IOException {
    next = filled - inflater.getRemaining();
    if (gzip) {
      long expected = number(4, "the checksum");
      if (expected != checksum.getValue()) {
        throw new ZipException(
            "the checksum before byte %d differs: the data are damaged".formatted(position()));
      }
      if (number(4, "the length") != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
        throw new ZipException(
            "the length before byte %d differs: the data are damaged".formatted(position()));
      }
    }
    skipZeros();
    if (!hasMore()) {
      ended = true;
      return;
    }
    if (!gzip) {
      throw new ZipException("other bytes follow the end, at byte %d".formatted(position()));
    }
    inflater.reset();
    checksum.reset();
    readHeader();
  }

  private void skipZeros() throws IOException {
    while (gzip && hasMore() && buffer[next] == 0) {
      next++;
    }
  }

  private void readHeader() throws IOException {
    long start = position();
    checksum.reset();
    int magic = (int) number(2, "a header");
    int method = headerByte();
    int flags = headerByte();
    if (magic != 0x8b1f || method != 8 || flags > 0x1f) {
      throw new ZipException(
          start == 0
              ? "no gzip header"
              : "no header of another gzip member at byte %d: it is damaged, or other bytes follow the end"
                  .formatted(start));
    }
    for (int i = 0; i < 6; i++) {
      headerByte();
    }
    if ((flags & EXTRA) != 0) {
      for (int length = headerByte() | headerByte() << 8; length > 0; length--) {
        headerByte();
      }
    }
    for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
      while (headerByte() != 0) {
        // Skips a file's name or a comment.
      }
    }
    if ((flags & CHECKSUM_OF_HEADER) != 0) {
      long expected = checksum.getValue() & 0xFFFF;
      if (number(2, "a header") != expected) {
        throw new ZipException(
            "the checksum of the gzip header at byte %d differs".formatted(start));
      }
    }
    checksum.reset();
  }

  private int headerByte() throws IOException {
    return (int) number(1, "a header");
  }

  /** Reads a little-endian number from the header, and adds its bytes to the header's checksum. */
  private long number(int bytes, String what) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      requireMore(what);
      int each = buffer[next++] & 0xFF;
      number |= (long) each << (8 * i);
      if (!inflater.finished()) {
        checksum.update(each);
      }
    }
    return number;
  }

  private void requireMore(String what) throws IOException {
    if (!hasMore()) {
      throw new EOFException(
          "the file ends at byte %d, within %s: it is cut off".formatted(position(), what));
    }
  }

  private boolean hasMore() throws IOException {
    if (next == filled) {
      bufferOffset += filled;
      next = 0;
      filled = 0;
      // A stream may return 0 bytes before its end.
      int read = 0;
      while (read == 0) {
        read = in.read(buffer);
      }
      filled = Math.max(0, read);
    }
    return filled > 0;
  }

  @Override
  public void close() throws IOException {
    ended = true;
    inflater.end();
    in.close();
  }
}
