package io.feedline.formats.remote.internal.http;

import java.util.Arrays;

/** The decision to send a request twice (Dean, Barroso: "The Tail at Scale"). Thread-safe. */
final class Hedging {

  private static final int KEPT = 512;
  private static final int RECOMPUTED = 64;
  private static final double QUANTILE = 0.99;
  private static final long AT_FIRST_NANOS = 2_000_000_000L;
  private static final double MOST_SAVED = 16;

  private final long leastNanos;
  private final double part;
  private final long[] times = new long[KEPT];
  private long counted;
  private long patience;
  private double saved;

  Hedging(long leastNanos, double part) {
    this.leastNanos = leastNanos;
    this.part = part;
    this.patience = Math.max(leastNanos, AT_FIRST_NANOS);
  }

  synchronized void sent() {
    saved = Math.min(MOST_SAVED, saved + part);
  }

  synchronized void answered(long nanos) {
    times[(int) (counted++ % KEPT)] = nanos;
    if (counted % RECOMPUTED == 0) {
      long[] sorted = Arrays.copyOf(times, (int) Math.min(counted, KEPT));
      Arrays.sort(sorted);
      patience = Math.max(leastNanos, sorted[(int) Math.ceil(QUANTILE * sorted.length) - 1]);
    }
  }

  synchronized long patienceNanos() {
    return patience;
  }

  /** Counts a hedge and returns true, if the number of hedges is below its limit. */
  synchronized boolean take() {
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
