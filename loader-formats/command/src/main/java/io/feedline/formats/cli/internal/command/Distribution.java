package io.feedline.formats.cli.internal.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A collector of numbers, 0 or more, for their mean, median and histogram. Used by one thread. */
public final class Distribution {

  private static final int BAR = 20; // so that a line fits into 40 columns

  private long[] values = new long[64];
  private int count;

  public void add(long value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
  }

  private long[] sorted() {
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted;
  }

  private double mean() {
    return Arrays.stream(values, 0, count).average().orElse(0);
  }

  /** Returns the minimum, mean, median and maximum; empty if there are no numbers. */
  public Map<String, Object> asMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (count > 0) {
      long[] sorted = sorted();
      map.put("min", sorted[0]);
      map.put("mean", mean());
      map.put("median", sorted[count / 2]);
      map.put("max", sorted[count - 1]);
    }
    return map;
  }

  /**
   * Returns the lines of a histogram, from the first to the last line with numbers. A line counts
   * the numbers from half a power of two, inclusive, to the power, exclusive.
   */
  public List<String> histogram(String indent) {
    int[] buckets = new int[65];
    for (int i = 0; i < count; i++) {
      buckets[64 - Long.numberOfLeadingZeros(values[i])]++;
    }
    int most = Arrays.stream(buckets).max().orElse(0);
    List<String> lines = new ArrayList<>();
    int first = 0;
    int last = 64;
    while (first < 64 && buckets[first] == 0) {
      first++;
    }
    while (last > first && buckets[last] == 0) {
      last--;
    }
    for (int b = first; b <= last && most > 0; b++) {
      int length = (int) ((long) buckets[b] * BAR / most);
      lines.add(
          "%s< %-8s %6d %s"
              .formatted(
                  indent,
                  ByteSize.words(b >= 63 ? Long.MAX_VALUE : 1L << b),
                  buckets[b],
                  "#".repeat(Math.max(length, buckets[b] > 0 ? 1 : 0))));
    }
    return lines;
  }

  @Override
  public String toString() {
    if (count == 0) {
      return "none";
    }
    long[] sorted = sorted();
    return "min %d, mean %.0f, median %d, max %d"
        .formatted(sorted[0], mean(), sorted[count / 2], sorted[count - 1]);
  }
}
