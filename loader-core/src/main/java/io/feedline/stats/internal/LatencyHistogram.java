package io.feedline.stats.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A count of durations in buckets that grow with the durations (64 to each doubling), so that a
 * quantile is within 1.6% of the truth. Buckets exist up to the longest duration only: 8 kilobytes
 * for a millisecond, 30 kilobytes at most. Not thread-safe.
 */
final class LatencyHistogram {

  private static final int SUB_BITS = 6;
  private static final int SUB_BUCKETS = 1 << SUB_BITS;
  private static final int COARSE = SUB_BUCKETS / 8;

  private long[] counts = {};

  private long count;
  private long max;

  void record(long nanos) {
    max = Math.max(max, nanos);
    int bucket = bucket(Math.max(0, nanos));
    if (bucket >= counts.length) {
      grow(bucket + 1);
    }
    counts[bucket]++;
    count++;
  }

  private void grow(int buckets) {
    counts = Arrays.copyOf(counts, (buckets + SUB_BUCKETS - 1) / SUB_BUCKETS * SUB_BUCKETS);
  }

  void add(LatencyHistogram other) {
    max = Math.max(max, other.max);
    count += other.count;
    if (other.counts.length > counts.length) {
      grow(other.counts.length);
    }
    for (int i = 0; i < other.counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** Returns the upper end of the quantile's bucket, or the largest value if it is less. */
  Duration quantile(double quantile) {
    long rank = (long) Math.ceil(quantile * count);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank && seen > 0) {
        return Duration.ofNanos(Math.min(upperEnd(i), max));
      }
    }
    return Duration.ZERO;
  }

  long countUpTo(long nanos) {
    long total = 0;
    int last = Math.min(bucket(Math.max(0, nanos)), counts.length - 1);
    for (int i = 0; i <= last; i++) {
      total += counts[i];
    }
    return total;
  }

  record Bin(long upTo, long count) {}

  /** Returns the counts by size, with 8 bins to each doubling, without empty bins. */
  List<Bin> bins() {
    List<Bin> bins = new ArrayList<>();
    for (int first = 0; first < counts.length; first += COARSE) {
      long sum = 0;
      for (int i = first; i < first + COARSE; i++) {
        sum += counts[i];
      }
      if (sum > 0) {
        bins.add(new Bin(upperEnd(first + COARSE - 1), sum));
      }
    }
    return bins;
  }

  long count() {
    return count;
  }

  Duration max() {
    return Duration.ofNanos(max);
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
