package io.feedline.examples;

import java.util.Arrays;
import java.util.Locale;

/** Where the time of one training epoch went. */
final class EpochReport {

  private final String unit;
  private final long begin = System.nanoTime();
  private long[] loadNanos = new long[64];
  private int steps;
  private long samples;
  private long end;

  /**
   * An epoch that begins now.
   *
   * @param unit what samples are called, in the plural
   */
  EpochReport(String unit) {
    this.unit = unit;
  }

  /**
   * Adds a step.
   *
   * @param nanos how long it waited for its batch
   */
  void add(long nanos, int batchSize) {
    if (steps == loadNanos.length) {
      loadNanos = Arrays.copyOf(loadNanos, 2 * steps);
    }
    loadNanos[steps++] = nanos;
    samples += batchSize;
  }

  /** The epoch ends now. */
  void end() {
    end = System.nanoTime();
    loadNanos = Arrays.copyOf(loadNanos, steps);
    Arrays.sort(loadNanos);
  }

  /** The load time that this share of the batches did not exceed; the nearest rank. */
  private double loadMillis(double share) {
    return loadNanos[Math.max(0, (int) Math.ceil(share * steps) - 1)] / 1e6;
  }

  /** The steps so far. */
  int steps() {
    return steps;
  }

  /** Time, waiting, throughput and batch load times, in a line. */
  @Override
  public String toString() {
    double seconds = (end - begin) / 1e9;
    double waited = Arrays.stream(loadNanos).sum() / 1e9;
    return String.format(
        Locale.ROOT,
        "%.1f s, %.1f%% of it waiting for data, %.1f %s/s, batch load p50 %.2f ms p99 %.2f ms",
        seconds,
        100 * waited / seconds,
        samples / seconds,
        unit,
        loadMillis(0.5),
        loadMillis(0.99));
  }
}
