package io.feedline.formats.recordio;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.OpenFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Where the records are, and what their keys are: an {@code .idx} file, of lines with a key, a tab
 * and a position; or, without one, what a scan finds. 8 bytes a record, and 8 more where the keys
 * are not 0, 1, 2 and so on. Immutable.
 */
final class RecordIoIndex {

  private final long[] positions;

  /** Null where a record's key is its number. */
  private final long[] keys;

  private RecordIoIndex(long[] positions, long[] keys) {
    this.positions = positions;
    this.keys = keys;
  }

  int size() {
    return positions.length;
  }

  long position(int record) {
    return positions[record];
  }

  long key(int record) {
    return keys == null ? record : keys[record];
  }

  /**
   * Goes through a file that has no index.
   *
   * @throws FormatException if it is damaged or cut off
   */
  static RecordIoIndex scan(OpenFiles files, Path file) throws IOException {
    return new RecordIoIndex(RecordIoScan.positions(files, file), null);
  }

  /**
   * Reads an index.
   *
   * @param recBytes the size of the file that it is of
   * @throws FormatException if it is none, a key comes twice, or a position cannot be one
   */
  static RecordIoIndex read(Path file, long recBytes) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      return new Parser(file, in, recBytes).parse();
    }
  }

  private static final class Parser {
    private final Path file;
    private final InputStream in;
    private final long recBytes;
    private long line = 1;
    private long[] keys = new long[1024];
    private long[] positions = new long[1024];
    private int size;
    private int next;

    Parser(Path file, InputStream in, long recBytes) {
      this.file = file;
      this.in = in;
      this.recBytes = recBytes;
    }

    RecordIoIndex parse() throws IOException {
      next = in.read();
      for (; next >= 0; line++) {
        skipSpace();
        if (!atLineEnd()) {
          add(number("a key"), number("a position"));
        }
        if (!atLineEnd()) {
          throw failed("'%c' where the line should end".formatted((char) next));
        }
        next = in.read();
      }
      keys = Arrays.copyOf(keys, size);
      return new RecordIoIndex(Arrays.copyOf(positions, size), isCounted() ? null : distinct());
    }

    private void add(long key, long position) throws FormatException {
      if (position % RecordIoLayout.ALIGNMENT != 0
          || position > recBytes - RecordIoLayout.HEADER_BYTES) {
        throw failed(
            "key %d has position %d, which is no multiple of 4 in a file of %d bytes"
                .formatted(key, position, recBytes));
      }
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, Math.multiplyExact(size, 2));
        positions = Arrays.copyOf(positions, keys.length);
      }
      keys[size] = key;
      positions[size++] = position;
    }

    private boolean isCounted() {
      for (int i = 0; i < size; i++) {
        if (keys[i] != i) {
          return false;
        }
      }
      return true;
    }

    private long[] distinct() throws FormatException {
      long[] sorted = keys.clone();
      Arrays.sort(sorted);
      for (int i = 1; i < size; i++) {
        if (sorted[i] == sorted[i - 1]) {
          throw new FormatException("%s: key %d comes twice".formatted(file, sorted[i]));
        }
      }
      return keys;
    }

    private long number(String what) throws IOException {
      skipSpace();
      if (next < '0' || next > '9') {
        throw failed(
            "%s is expected, which is a number of digits, not %s"
                .formatted(what, atLineEnd() ? "the end" : "'" + (char) next + "'"));
      }
      long number = 0;
      while (next >= '0' && next <= '9') {
        int digit = next - '0';
        if (number > (Long.MAX_VALUE - digit) / 10) {
          throw failed(what + " is larger than 2^63 - 1");
        }
        number = number * 10 + digit;
        next = in.read();
      }
      return number;
    }

    private void skipSpace() throws IOException {
      while (next == ' ' || next == '\t' || next == '\r') {
        next = in.read();
      }
    }

    private boolean atLineEnd() throws IOException {
      skipSpace();
      return next == '\n' || next < 0;
    }

    private FormatException failed(String problem) {
      return new FormatException("%s, line %d: %s".formatted(file, line, problem));
    }
  }
}
