package io.feedline;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A count of durations in buckets that grow with them (16 to each doubling), so that a quantile is
 * within 6.25% of the truth for a few kilobytes. Thread-safe.
 */
final class LatencyHistogram {

  private static final int SUB_BITS = 4;
  private static final int SUB_BUCKETS = 1 << SUB_BITS;

  private final AtomicLongArray counts = new AtomicLongArray((64 - SUB_BITS + 1) * SUB_BUCKETS);

  private final LongAccumulator max = new LongAccumulator(Math::max, 0);

  void record(long nanos) {
    // First, so that no quantile counts a value that is not in it.
    max.accumulate(nanos);
    counts.incrementAndGet(bucket(Math.max(0, nanos)));
  }

  /**
   * Returns the upper end of the bucket that holds the quantile, or the largest value where that is
   * less; 0 where nothing was recorded.
   */
  Duration quantile(double quantile) {
    long total = 0;
    for (int i = 0; i < counts.length(); i++) {
      total += counts.get(i);
    }
    long rank = (long) Math.ceil(quantile * total);
    long seen = 0;
    for (int i = 0; i < counts.length(); i++) {
      seen += counts.get(i);
      if (seen >= rank && seen > 0) {
        return Duration.ofNanos(Math.min(upperEnd(i), max.get()));
      }
    }
    return Duration.ZERO;
  }

  /** Returns the largest value, 0 where nothing was recorded. */
  Duration max() {
    return Duration.ofNanos(max.get());
  }

  private static int bucket(long nanos) {
    if (nanos < SUB_BUCKETS) {
      return (int) nanos;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
    return (exponent << SUB_BITS) + (int) (nanos >>> exponent);
  }

  private static long upperEnd(int bucket) {
    if (bucket < 2 * SUB_BUCKETS) {
      return bucket;
    }
    int exponent = (bucket >>> SUB_BITS) - 1;
    long mantissa = (bucket & (SUB_BUCKETS - 1)) | SUB_BUCKETS;
    return ((mantissa + 1) << exponent) - 1;
  }
}
