package io.feedline.formats.table.internal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the rows of a CSV file (RFC 4180), as bytes with the ends of the fields. A quoted
 * field may contain delimiters, line breaks and doubled quotes. Spaces belong to a field. Lines end
 * with LF or CRLF, and empty lines are left out. An invalid row has a {@link #problem}; the rest of
 * its line is skipped, and the next line is the next row. Not thread-safe.
 */
final class CsvRows {

  /** The largest size of a row: without a closing quote, the file's rest would be one field. */
  private static final int MAX_ROW_BYTES = 1 << 24;

  /** The largest number of fields of a row: even an empty field takes memory. */
  private static final int MAX_FIELDS = 1 << 20;

  private static final int BLOCK_BYTES = 1 << 16;
  private static final int END = -1;

  private final InputStream in;
  private final byte delimiter;
  private final byte[] block = new byte[BLOCK_BYTES];
  private int next;
  private int filled;

  /** The position in the file of the first byte of the read buffer. */
  private long blockOffset;

  private long line;
  private long rowLine;
  private byte[] bytes = new byte[1 << 10];
  private int length;
  private int[] ends = new int[16];
  private int fields;
  private @Nullable String problem;

  /** True if the next byte belongs to a line whose remainder is skipped. */
  private boolean withinLine;

  /** Creates a reader of a stream that begins at this offset and line; the caller closes it. */
  CsvRows(InputStream in, char delimiter, long offset, long line, boolean withinLine) {
    this.withinLine = withinLine;
    this.in = in;
    this.delimiter = (byte) delimiter;
    this.blockOffset = offset;
    this.line = line;
  }

  /** Reads the next row; returns false at the end of the stream. */
  boolean next() throws IOException {
    length = 0;
    fields = 0;
    problem = null;
    passLine();
    skipEmptyLines();
    if (!readable()) {
      return false;
    }
    rowLine = line;
    int after = delimiter;
    while (after == delimiter) {
      after = readable() && block[next] == '"' ? quoted() : plain();
      if (problem == null && fields == MAX_FIELDS) {
        problem = "more than %d fields".formatted(MAX_FIELDS);
      }
      if (problem != null) {
        withinLine = after != '\n';
        return true;
      }
      if (fields == ends.length) {
        ends = Arrays.copyOf(ends, 2 * fields);
      }
      ends[fields++] = length;
    }
    return true;
  }

  private void skipEmptyLines() throws IOException {
    if (blockOffset == 0 && next == 0 && readable() && filled >= 3) {
      boolean mark = block[0] == (byte) 0xef && block[1] == (byte) 0xbb && block[2] == (byte) 0xbf;
      next = mark ? 3 : 0;
    }
    while (readable() && (block[next] == '\n' || block[next] == '\r')) {
      line += block[next++] == '\n' ? 1 : 0;
    }
  }

  /** Reads an unquoted field; skips and returns the delimiter or line end behind it. */
  private int plain() throws IOException {
    while (readable()) {
      int from = next;
      int end = endOfRoom();
      while (next < end && !ends(block[next])) {
        next++;
      }
      append(from);
      if (problem != null) {
        return END;
      }
      if (next < end) {
        return passed();
      }
    }
    return END;
  }

  private boolean ends(byte b) {
    return b == delimiter || b == '\n' || b == '\r' || b == '"';
  }

  private int passed() throws IOException {
    int b = block[next];
    if (b == '"') {
      problem =
          "a quote within a field that does not begin with one; quote the field, and double the quotes in it";
      return b;
    }
    next++;
    if (b == '\r') {
      if (readable() && block[next] != '\n') {
        problem = "a carriage return without a line feed; lines end with LF or CRLF";
        return b;
      }
      next += readable() ? 1 : 0;
      b = '\n';
    }
    line += b == '\n' ? 1 : 0;
    return b;
  }

  private int quoted() throws IOException {
    next++;
    while (readable()) {
      int from = next;
      int end = endOfRoom();
      while (next < end && block[next] != '"') {
        line += block[next++] == '\n' ? 1 : 0;
      }
      append(from);
      if (problem != null) {
        return END;
      }
      if (next == end) {
        continue;
      }
      next++;
      if (!readable()) {
        return END;
      }
      byte behind = block[next];
      if (behind == '"') {
        append(next++, 1);
      } else if (ends(behind)) {
        return passed();
      } else {
        problem = "text behind the closing quote of a field; double the quotes in a field";
        return behind;
      }
    }
    problem = "a quote is opened and not closed";
    return END;
  }

  /** Returns the index where reading stops: the buffer ends, or the row becomes too large. */
  private int endOfRoom() {
    return Math.min(filled, next + MAX_ROW_BYTES - length + 1);
  }

  private void append(int from) {
    append(from, next - from);
  }

  private void append(int from, int count) {
    if (length + count > MAX_ROW_BYTES) {
      problem = "more than %d bytes; is a quote opened and not closed?".formatted(MAX_ROW_BYTES);
      return;
    }
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
    }
    System.arraycopy(block, from, bytes, length, count);
    length += count;
  }

  private void passLine() throws IOException {
    while (withinLine && readable()) {
      if (block[next++] == '\n') {
        line++;
        withinLine = false;
      }
    }
    withinLine = false;
  }

  boolean isWithinLine() {
    return withinLine;
  }

  private boolean readable() throws IOException {
    if (next == filled) {
      blockOffset += filled;
      next = 0;
      filled = 0;
      filled = in.readNBytes(block, 0, block.length);
    }
    return filled > 0;
  }

  /** Returns the line number at which the row begins, from 1. */
  long line() {
    return rowLine;
  }

  /** Returns the position in the file after the row; empty lines may follow. */
  long offset() {
    return blockOffset + next;
  }

  /** Returns the line number at {@link #offset}. */
  long nextLine() {
    return line;
  }

  int fields() {
    return fields;
  }

  /** Returns the problem of an invalid row as a text; null if the row is valid. */
  @Nullable String problem() {
    return problem;
  }

  /** Returns the bytes of all fields, which the next row changes. */
  byte[] bytes() {
    return bytes;
  }

  int from(int field) {
    return field == 0 ? 0 : ends[field - 1];
  }

  int to(int field) {
    return ends[field];
  }
}
