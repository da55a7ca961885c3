package io.feedline.formats.tfrecord;

import io.feedline.formats.store.FormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Goes through a plain shard from header to header and notes where its records begin. What follows
 * a damaged or incomplete record is not looked at. Not thread-safe.
 */
final class RecordScan {

  /** Short records are read many at a time; between long ones only a page is. */
  private static final int WINDOW_BYTES = 1 << 18;

  private static final int PAGE_BYTES = 1 << 12;

  private final Path file;
  private final long size;
  private final ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES).limit(0);
  private final byte[] header = new byte[RecordLayout.HEADER_BYTES];

  private long windowStart;
  private long[] offsets = new long[1024];
  private int records;
  private FormatException problem;

  /**
   * A scan of a file.
   *
   * @param size how much of it is looked at: its size
   */
  RecordScan(Path file, long size) {
    this.file = file;
    this.size = size;
  }

  /** Scans the file; afterwards the results can be asked for. */
  void run(FileChannel channel) throws IOException {
    long offset = 0;
    long last = 0;
    while (offset < size) {
      note(offset);
      String wrong;
      long length = -1;
      if (size - offset < header.length) {
        wrong = "the file ends %d bytes into a header of 12".formatted(size - offset);
      } else {
        readHeader(channel, offset, last > WINDOW_BYTES ? PAGE_BYTES : WINDOW_BYTES);
        length = RecordLayout.u64(header, 0);
        wrong = problemOf(length, offset);
      }
      if (wrong != null) {
        problem = FormatException.of(file, records, offset, wrong);
        return;
      }
      last = length + RecordLayout.FRAME_BYTES;
      offset += last;
      records++;
    }
    note(offset);
  }

  private String problemOf(long length, long offset) {
    if (offset == 0 && Compression.of(header) != Compression.NONE) {
      return "the file is compressed by %s, which allows reading it only from front to back"
          .formatted(Compression.of(header));
    }
    String wrong = RecordLayout.problemOfHeader(header, 0);
    if (wrong != null) {
      return wrong;
    }
    long room = size - offset - RecordLayout.FRAME_BYTES;
    if (length < 0 || length > room) {
      return "the record has %s bytes of data, but the file ends after %d, at byte %d"
          .formatted(Long.toUnsignedString(length), Math.max(0, room), size);
    }
    if (records == ShardIndex.MAX_RECORDS) {
      return "a shard may have at most %d records".formatted(ShardIndex.MAX_RECORDS);
    }
    return null;
  }

  private void readHeader(FileChannel channel, long offset, int wanted) throws IOException {
    long inWindow = offset - windowStart;
    if (inWindow < 0 || inWindow + header.length > window.limit()) {
      window.clear().limit((int) Math.min(wanted, size - offset));
      while (window.hasRemaining()) {
        if (channel.read(window, offset + window.position()) < 0) {
          throw new IOException(
              "%s became shorter while it was read, than %d bytes".formatted(file, size));
        }
      }
      windowStart = offset;
      inWindow = 0;
    }
    window.get((int) inWindow, header);
  }

  private void note(long offset) {
    if (records == offsets.length) {
      offsets = Arrays.copyOf(offsets, offsets.length * 2);
    }
    offsets[records] = offset;
  }

  /** How many records are whole, by their headers. */
  int records() {
    return records;
  }

  /** Where each whole record begins, and where the last one ends. */
  long[] offsets() {
    return Arrays.copyOf(offsets, records + 1);
  }

  /** Where the last whole record ends. */
  long end() {
    return offsets[records];
  }

  /** What is wrong behind the last whole record; null where the file ends with it. */
  FormatException problem() {
    return problem;
  }
}
