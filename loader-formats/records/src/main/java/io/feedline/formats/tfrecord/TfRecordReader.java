package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a TFRecord file from front to back, plain or compressed as a whole. No length in a
 * file is trusted: a record's memory grows with the bytes actually read. Not thread-safe. The
 * caller closes the reader; closing twice is allowed.
 */
final class TfRecordReader implements Closeable {

  private static final int FIRST_PIECE = 1 << 20;

  private final Path file;
  private final Compression compression;
  private final boolean verifyChecksums;
  private final int maxSampleBytes;
  private final InputStream in;
  private final byte[] header = new byte[RecordLayout.HEADER_BYTES];

  private long record;
  private long offset;
  private State state = State.READING;

  private enum State {
    READING,
    /** The state at the end, or after an error behind which nothing can be read. */
    ENDED,
    CLOSED
  }

  private TfRecordReader(
      Path file,
      Compression compression,
      boolean verifyChecksums,
      int maxSampleBytes,
      InputStream in) {
    this.file = file;
    this.compression = compression;
    this.verifyChecksums = verifyChecksums;
    this.maxSampleBytes = maxSampleBytes;
    this.in = in;
  }

  static TfRecordReader open(Path file, boolean verifyChecksums, int maxSampleBytes)
      throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(OpenFile.of(file).stream(), 1 << 16);
    try {
      Compression compression = Compression.of(buffered);
      return new TfRecordReader(
          file, compression, verifyChecksums, maxSampleBytes, compression.inflating(buffered));
    } catch (EOFException | ZipException broken) {
      buffered.close();
      throw FormatException.in(file, broken.getMessage(), broken);
    } catch (IOException | RuntimeException failed) {
      buffered.close();
      throw failed;
    }
  }

  String describe() {
    String unit = compression == Compression.NONE ? "" : " of what it inflates to";
    return RecordLayout.place(file, record, offset) + unit;
  }

  /**
   * Returns the data of the next record; null at the end, and after any failure but a wrong
   * checksum of the data.
   */
  byte @Nullable [] next() throws IOException {
    int length = nextLength();
    if (length < 0) {
      return null;
    }
    byte[] framed = read(length + RecordLayout.FOOTER_BYTES, "its data and checksum");
    String problem = verifyChecksums ? RecordLayout.problemOfData(framed, 0, length) : null;
    if (problem != null) {
      FormatException damaged = damaged(problem);
      passed(length);
      throw damaged;
    }
    passed(length);
    // This second copy makes an array of the data alone; it takes about 10 us for an image.
    return Arrays.copyOf(framed, length);
  }

  boolean skip() throws IOException {
    int length = nextLength();
    if (length < 0) {
      return false;
    }
    try {
      in.skipNBytes((long) length + RecordLayout.FOOTER_BYTES);
    } catch (EOFException | ZipException cut) {
      throw ended(cut, "its %d bytes of data".formatted(length));
    }
    passed(length);
    return true;
  }

  private void passed(int length) {
    offset += (long) RecordLayout.FRAME_BYTES + length;
    record++;
  }

  private int nextLength() throws IOException {
    if (state == State.CLOSED) {
      throw new IllegalStateException(file + " is read after it was closed");
    }
    if (state == State.ENDED) {
      return -1;
    }
    int read;
    try {
      read = in.readNBytes(header, 0, header.length);
    } catch (EOFException | ZipException broken) {
      throw ended(broken, "its header");
    }
    if (read == 0) {
      state = State.ENDED;
      return -1;
    }
    if (read < header.length) {
      throw ended(
          null, "the file ends %d bytes into a header of %d".formatted(read, header.length));
    }
    String problem = RecordLayout.problemOfHeader(header, 0);
    if (problem != null) {
      throw ended(null, problem);
    }
    long length = RecordLayout.u64(header, 0);
    if (length < 0 || length > maxSampleBytes) {
      throw ended(
          null,
          "a record of %s bytes is longer than maxSampleBytes = %d"
              .formatted(Long.toUnsignedString(length), maxSampleBytes));
    }
    return (int) length;
  }

  private byte[] read(int length, String what) throws IOException {
    byte[] bytes = new byte[Math.min(length, FIRST_PIECE)];
    int read = 0;
    while (true) {
      try {
        read += in.readNBytes(bytes, read, bytes.length - read);
      } catch (EOFException | ZipException broken) {
        throw ended(broken, what);
      }
      if (read < bytes.length) {
        throw ended(
            null,
            "the file ends %d bytes behind the header, before %s, %d bytes"
                .formatted(read, what, length));
      }
      if (read == length) {
        return bytes;
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
    }
  }

  private FormatException damaged(String problem) {
    return compression == Compression.NONE
        ? FormatException.at(file, record, offset, problem)
        : new FormatException(describe() + ": " + problem);
  }

  private FormatException ended(IOException cause, String problem) {
    state = State.ENDED;
    if (cause == null) {
      return damaged(problem);
    }
    String what = compression == Compression.NONE ? "file ends" : compression + " data breaks off";
    return new FormatException(
        "%s: the %s in %s (%s)".formatted(describe(), what, problem, cause), cause);
  }

  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    in.close();
  }
}
