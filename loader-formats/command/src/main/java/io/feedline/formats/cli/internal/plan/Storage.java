package io.feedline.formats.cli.internal.plan;

import java.time.Duration;

/**
 * The capacity of a storage, for all that read from it at the same time.
 *
 * @param name what it is called in the plan
 * @param latency of one read, of an example's size, from the request to the last byte, while the
 *     storage has little else to do
 * @param readsPerSecond the most reads a second, however many are in flight
 * @param bytesPerSecond the most bytes a second
 * @param source where the figures are from
 */
record Storage(
    String name, Duration latency, double readsPerSecond, double bytesPerSecond, String source) {

  Storage {
    Workload.require(latency.toNanos() > 0, "latency must be above 0, was %s", latency);
    Workload.requireRate("readsPerSecond", readsPerSecond);
    Workload.requireRate("bytesPerSecond", bytesPerSecond);
  }

  /**
   * Returns the same storage for reads that are so large that their transfer takes time too, at
   * least as much as the whole bandwidth makes of it.
   */
  Storage readingPiecesOf(long bytes) {
    Duration transfer = Duration.ofNanos(Math.round(bytes / bytesPerSecond * 1e9));
    return new Storage(name, latency.plus(transfer), readsPerSecond, bytesPerSecond, source);
  }

  double latencySeconds() {
    return latency.toNanos() / 1e9;
  }
}
