package io.feedline.formats.remote.internal.http;

import java.util.Arrays;

/**
 * The decision to send a request once more: if it takes longer than 99 of 100 recent requests, and
 * while hedges are a small part of all requests (Dean and Barroso, The Tail at Scale, 2013).
 * Thread-safe.
 */
final class Hedging {

  private static final int KEPT = 512;
  private static final int RECOMPUTED = 64;
  private static final double QUANTILE = 0.99;

  /** AWS's advice for small objects, before there are figures. */
  private static final long AT_FIRST_NANOS = 2_000_000_000L;

  /** The number of hedges that may be saved up. */
  private static final double MOST_SAVED = 16;

  private final long leastNanos;
  private final double part;
  private final long[] times = new long[KEPT];
  private long counted;
  private long patience;
  private double saved;

  /**
   * Hedging without figures.
   *
   * @param leastNanos how long an answer is waited for at least
   * @param part the most hedges, as a part of all requests; 0 for none
   */
  Hedging(long leastNanos, double part) {
    this.leastNanos = leastNanos;
    this.part = part;
    this.patience = Math.max(leastNanos, AT_FIRST_NANOS);
  }

  /** Counts a request that is sent for the first time. */
  synchronized void sent() {
    saved = Math.min(MOST_SAVED, saved + part);
  }

  /** Takes the time that an answer has taken to begin. */
  synchronized void answered(long nanos) {
    times[(int) (counted++ % KEPT)] = nanos;
    if (counted % RECOMPUTED == 0) {
      long[] sorted = Arrays.copyOf(times, (int) Math.min(counted, KEPT));
      Arrays.sort(sorted);
      patience = Math.max(leastNanos, sorted[(int) Math.ceil(QUANTILE * sorted.length) - 1]);
    }
  }

  /** Returns the time to wait for an answer before a hedge, in nanoseconds. */
  synchronized long patienceNanos() {
    return patience;
  }

  /** Tests whether one more hedge is within the limit; counts it if it is. */
  synchronized boolean take() {
    if (saved < 1) {
      return false;
    }
    saved--;
    return true;
  }
}
