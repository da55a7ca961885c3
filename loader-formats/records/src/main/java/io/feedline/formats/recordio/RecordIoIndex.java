package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The positions and keys of records, read from an {@code .idx} file or found by a scan. A line of
 * an {@code .idx} file has a key, a tab and a position. The index takes 8 bytes of memory per
 * record, 8 more if the keys are not 0, 1, 2 and so on, and 8 more if the records lie in another
 * order in the file. Immutable.
 */
final class RecordIoIndex {

  private final long[] positions;

  /** The keys of the records; null if each key is the record's number. */
  private final long[] keys;

  /** The positions, sorted; the same array as {@code positions} if that array is sorted. */
  private final long[] ascending;

  private final boolean ended;

  /** True if the index lists all records. */
  private final boolean whole;

  private RecordIoIndex(long[] positions, long[] keys, boolean ended, boolean whole) {
    this.positions = positions;
    this.keys = keys;
    this.ended = ended;
    this.whole = whole;
    long[] sorted = positions.clone();
    Arrays.sort(sorted);
    this.ascending = Arrays.equals(sorted, positions) ? positions : sorted;
  }

  int size() {
    return positions.length;
  }

  long position(int record) {
    return positions[record];
  }

  boolean isWhole() {
    return whole;
  }

  long next(int record, long fileEnd) {
    int at = Arrays.binarySearch(ascending, positions[record]);
    while (++at < ascending.length) {
      if (ascending[at] > positions[record]) {
        return ascending[at];
      }
    }
    return fileEnd;
  }

  long key(int record) {
    return keys == null ? record : keys[record];
  }

  static RecordIoIndex scan(OpenFiles files, Path file) throws IOException {
    return new RecordIoIndex(RecordIoScan.positions(files, file), null, true, true);
  }

  /** Reads an index that may list only some of the records. */
  static RecordIoIndex read(Path file, RecordIoFile rec) throws IOException {
    RecordIoIndex index = parse(file, rec, false);
    if (!index.ended && !index.isWhole(rec)) {
      throw new FormatException(
          "%s ends within a line: it is cut off, and some records of %s are missing in it"
              .formatted(file, rec.path()));
    }
    return index;
  }

  /** Reads an index, which must reach from the first record to the end of the file. */
  static RecordIoIndex readWhole(Path file, RecordIoFile rec) throws IOException {
    RecordIoIndex index = parse(file, rec, true);
    if (!index.isWhole(rec)) {
      long first = Arrays.stream(index.positions).min().orElse(0);
      throw new FormatException(
          "%s lists %d records, from position %d to %d, but %s has %d bytes: the index is cut off or of another file. Name an index of some of the records explicitly; without the file, records are found by a scan"
              .formatted(file, index.size(), first, index.end(rec), rec.path(), rec.size()));
    }
    return index;
  }

  private static RecordIoIndex parse(Path file, RecordIoFile rec, boolean whole)
      throws IOException {
    try (InputStream in = new BufferedInputStream(OpenFile.of(file).stream(), 1 << 16)) {
      return new Parser(file, in, rec).parse(whole);
    }
  }

  /**
   * Tests whether the index reaches from the beginning to the end of the file. If the last record
   * is damaged, its end is not known; then the index must end with a complete line.
   */
  private boolean isWhole(RecordIoFile rec) throws IOException {
    if (size() == 0) {
      return rec.size() == 0;
    }
    long end = end(rec);
    // A last record that is damaged or cut off is reported when the record is read.
    return Arrays.stream(positions).min().getAsLong() == 0 && (end < 0 ? ended : end >= rec.size());
  }

  /** Returns the end of the last record; negative if a header of that record is damaged. */
  private long end(RecordIoFile rec) throws IOException {
    return size() == 0 ? 0 : rec.end(Arrays.stream(positions).max().getAsLong());
  }

  private static final class Parser {
    private final Path file;
    private final InputStream in;
    private final RecordIoFile rec;
    private long line = 1;
    private final LongStream.Builder keys = LongStream.builder();
    private final LongStream.Builder positions = LongStream.builder();
    private int next;
    private boolean ended = true;

    Parser(Path file, InputStream in, RecordIoFile rec) {
      this.file = file;
      this.in = in;
      this.rec = rec;
    }

    RecordIoIndex parse(boolean whole) throws IOException {
      next = in.read();
      for (; next >= 0; line++) {
        ended = false;
        skipSpace();
        if (!atLineEnd()) {
          add(number("a key"), number("a position"));
        }
        if (!atLineEnd()) {
          throw failed("'%c' where the line should end".formatted((char) next));
        }
        ended = next >= 0;
        next = in.read();
      }
      long[] found = keys.build().toArray();
      boolean counted = IntStream.range(0, found.length).allMatch(i -> found[i] == i);
      return new RecordIoIndex(
          positions.build().toArray(), counted ? null : distinct(found), ended, whole);
    }

    private void add(long key, long position) throws FormatException {
      if (position % RecordIoLayout.ALIGNMENT != 0
          || position > rec.size() - RecordIoLayout.HEADER_BYTES) {
        throw failed(
            "key %d has position %d, which is not a multiple of 4 in a file of %d bytes"
                .formatted(key, position, rec.size()));
      }
      keys.add(key);
      positions.add(position);
    }

    private long[] distinct(long[] keys) throws FormatException {
      long[] sorted = keys.clone();
      Arrays.sort(sorted);
      for (int i = 1; i < sorted.length; i++) {
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
      return new FormatException(
          "%s, line %d: %s%s"
              .formatted(
                  file,
                  line,
                  problem,
                  next < 0 ? "; this index of %s seems to be cut off".formatted(rec.path()) : ""));
    }
  }
}
