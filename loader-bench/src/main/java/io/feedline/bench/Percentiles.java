package io.feedline.bench;

import java.util.Arrays;
import java.util.OptionalLong;

/** Exact quantiles of durations, by the nearest-rank method: a quantile is one of the durations. */
final class Percentiles {
  private final long[] sorted;

  private Percentiles(long[] sorted) {
    this.sorted = sorted;
  }

  /** Returns the percentiles of durations, which are copied and may be in any order. */
  static Percentiles of(long... values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Percentiles(sorted);
  }

  /**
   * Returns the smallest value that at least {@code percent} percent of the values do not exceed;
   * empty if there are no values.
   *
   * @throws IllegalArgumentException unless percent is from 1 to 100
   */
  OptionalLong at(int percent) {
    if (percent < 1 || percent > 100) {
      throw new IllegalArgumentException("percent must be from 1 to 100, was " + percent);
    }
    if (sorted.length == 0) {
      return OptionalLong.empty();
    }
    long rank = ((long) percent * sorted.length + 99) / 100;
    return OptionalLong.of(sorted[(int) rank - 1]);
  }

  /** Returns the greatest value; empty if there are no values. */
  OptionalLong max() {
    return at(100);
  }
}
