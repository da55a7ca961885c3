package io.feedline.formats.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a key in the order of time. The position of a row is its index in the series; missing
 * rows that are filled have positions, too. A run is a sequence of rows that are adjacent in the
 * table. Not thread-safe while rows are added.
 */
final class Series {

  final String key;

  /** The static columns' values as bytes; null before the first unbroken row and after the scan. */
  byte @Nullable [] statics;

  private final long firstRow;
  private int length;
  private int runs;
  private int[] starts = new int[1];
  private int[] counts = new int[1];
  private long[] rows = new long[1];

  private long firstTime;
  private long lastTime;

  /** The difference between any two consecutive times; 0 before the second time is known. */
  private long step;

  /** The time of each position; null as long as all differences are equal. */
  private long @Nullable [] times;

  private final boolean keepTimes;

  Series(String key, long firstRow, boolean keepTimes) {
    this.key = key;
    this.firstRow = firstRow;
    this.keepTimes = keepTimes;
  }

  /** Returns the series of a table without a key and a time; the time of a row is its index. */
  static Series ofRows(long rows) {
    Series all = new Series("", 0, true);
    all.add(0, 0, 0);
    all.counts[0] = all.length = Math.toIntExact(rows);
    all.step = 1;
    all.lastTime = rows - 1;
    return all;
  }

  /** Adds a row; {@code missing} positions before it are filled. */
  void add(long row, long time, int missing) {
    if (runs == 0 || missing > 0 || row != rows[runs - 1] + counts[runs - 1]) {
      if (runs == starts.length) {
        int room = runs + Math.max(2, runs >> 1);
        starts = Arrays.copyOf(starts, room);
        counts = Arrays.copyOf(counts, room);
        rows = Arrays.copyOf(rows, room);
      }
      starts[runs] = length + missing;
      counts[runs] = 0;
      rows[runs++] = row;
    }
    int position = length + missing;
    if (keepTimes) {
      addTime(position, time, missing);
    }
    counts[runs - 1]++;
    length = Math.addExact(position, 1);
    lastTime = time;
  }

  private void addTime(int position, long time, int missing) {
    if (position == 0) {
      firstTime = time;
    } else if (times == null) {
      long difference = (time - lastTime) / (missing + 1);
      if (step == 0) {
        step = difference;
      } else if (step != difference) {
        times = new long[Math.max(16, 2 * position)];
        Arrays.setAll(times, i -> firstTime + i * step);
      }
    }
    if (times != null) {
      if (position >= times.length) {
        times = Arrays.copyOf(times, position + (position >> 1) + 1);
      }
      times[position] = time;
    }
  }

  void trim() {
    starts = Arrays.copyOf(starts, runs);
    counts = Arrays.copyOf(counts, runs);
    rows = Arrays.copyOf(rows, runs);
    times = times == null ? null : Arrays.copyOf(times, length);
    statics = null;
  }

  int length() {
    return length;
  }

  long firstRow() {
    return firstRow;
  }

  long lastTime() {
    return lastTime;
  }

  long time(int position) {
    return times == null ? firstTime + position * step : times[position];
  }

  /** Returns the first position whose time is at or after a time; the length if all are earlier. */
  int firstAt(long time) {
    int low = 0;
    int high = length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (time(middle) < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the run of a position; a position whose row is missing belongs to the run before. */
  int runOf(int position) {
    if (runs == 1) {
      return 0;
    }
    int found = Arrays.binarySearch(starts, 0, runs, position);
    return found < 0 ? -found - 2 : found;
  }

  /** Returns the table index of the row at a position; if that is filled, of the row before it. */
  long row(int position) {
    int run = runOf(position);
    return rows[run] + Math.min(position - starts[run], counts[run] - 1);
  }

  /** Returns how many consecutive filled positions end at this position; 0 if it has a row. */
  int filledBefore(int position) {
    int run = runOf(position);
    return Math.max(0, position - starts[run] - counts[run] + 1);
  }

  /** Returns the number of rows from a position on, in its run; 0 for a filled position. */
  int together(int position) {
    int run = runOf(position);
    return Math.max(0, starts[run] + counts[run] - position);
  }

  /** Returns the number of filled positions from a filled position to the next row. */
  int filled(int position) {
    int run = runOf(position);
    return (run + 1 < runs ? starts[run + 1] : length) - position;
  }
}
