package io.feedline.formats.recordio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Goes through a RecordIO file from header to header and notes where its records begin: for a file
 * without an index, and for one whose writing was interrupted. What follows a damaged or incomplete
 * record is not looked at. Not thread-safe.
 */
final class RecordIoScan {

  /** Short records are read many at a time; between long ones only a page is. */
  private static final int WINDOW_BYTES = 1 << 18;

  private static final int PAGE_BYTES = 1 << 12;

  private final Path file;
  private final FileChannel channel;
  private final long size;
  private final ByteBuffer window =
      ByteBuffer.allocateDirect(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  private long windowStart;
  private long[] positions = new long[1024];
  private int records;
  private long end;
  private RecordIoException problem;

  private RecordIoScan(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.size = channel.size();
  }

  /**
   * Scans a file.
   *
   * @throws IOException if it cannot be read; damage is a {@link #problem} instead
   */
  static RecordIoScan of(Path file, FileChannel channel) throws IOException {
    RecordIoScan scan = new RecordIoScan(file, channel);
    scan.run();
    return scan;
  }

  private void run() throws IOException {
    long position = 0;
    boolean within = false;
    long last = 0;
    while (position < size) {
      String wrong = null;
      int kind = 0;
      if (size - position < RecordIoLayout.HEADER_BYTES) {
        wrong = "the file ends within a header";
      } else {
        int offset = window(position, last > WINDOW_BYTES ? PAGE_BYTES : WINDOW_BYTES);
        int word = window.getInt(offset + Integer.BYTES);
        kind = RecordIoLayout.kind(word);
        last = RecordIoLayout.partBytes(word);
        wrong = problemOf(window.getInt(offset), kind, within, size - position - last);
      }
      if (wrong != null) {
        problem =
            new RecordIoException(
                "%s, record %d at position %d, its part at %d: %s"
                    .formatted(file, records, end, position, wrong));
        return;
      }
      position += last;
      within = kind == RecordIoLayout.FIRST || kind == RecordIoLayout.MIDDLE;
      if (!within) {
        note(end);
        end = position;
      }
    }
    if (within) {
      problem =
          new RecordIoException(
              "%s, record %d at position %d: the file ends before its last part"
                  .formatted(file, records, end));
    }
  }

  /** What is wrong with a part, in words; null where it is right. */
  private static String problemOf(int magic, int kind, boolean within, long room) {
    if (magic != RecordIoLayout.MAGIC) {
      return "there is %08x where the magic number %08x is expected"
          .formatted(magic, RecordIoLayout.MAGIC);
    }
    return room < 0
        ? "the file ends %d bytes before the part does".formatted(-room)
        : RecordIoFile.problemOfKind(kind, within);
  }

  private int window(long position, int wanted) throws IOException {
    long inWindow = position - windowStart;
    if (inWindow < 0 || inWindow + RecordIoLayout.HEADER_BYTES > window.limit()) {
      window.clear().limit((int) Math.min(wanted, size - position));
      while (window.hasRemaining()) {
        if (channel.read(window, position + window.position()) < 0) {
          throw new IOException(
              "%s became shorter while it was read, than %d bytes".formatted(file, size));
        }
      }
      windowStart = position;
      inWindow = 0;
    }
    return (int) inWindow;
  }

  private void note(long position) {
    if (records == positions.length) {
      positions = Arrays.copyOf(positions, Math.multiplyExact(records, 2));
    }
    positions[records++] = position;
  }

  /** Where each whole record begins. */
  long[] positions() {
    return Arrays.copyOf(positions, records);
  }

  /** Where the last whole record ends. */
  long end() {
    return end;
  }

  /** What is wrong behind the last whole record; null where the file ends with it. */
  RecordIoException problem() {
    return problem;
  }
}
