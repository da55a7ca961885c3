package io.feedline.gpu;

import java.time.Duration;
import java.util.Optional;

/** Counts what a {@link CudaFeed} does. Thread-safe. */
final class CopyMeter {

  private long batches;
  private long bytes;
  private long pinnedBytes;
  private double copyMillis;
  private long runNanos;
  private long runningSince;
  private int running;
  private long waitNanos;
  private long loadNanos;
  private long loadingSince;
  private boolean loading;

  /** A copy is done; {@code millis} on the GPU's clock. */
  synchronized void copied(long copiedBytes, long copiedPinned, double millis) {
    bytes += copiedBytes;
    pinnedBytes += copiedPinned;
    copyMillis += millis;
  }

  /** An epoch begins, on so many devices. */
  synchronized void began(int devices) {
    running = devices;
    runningSince = System.nanoTime();
  }

  /** The epoch has ended. */
  synchronized void ended() {
    runNanos = runNanos();
    running = 0;
  }

  private long runNanos() {
    return runNanos + running * (System.nanoTime() - runningSince);
  }

  /** The copying thread asks the loader for a batch. */
  synchronized void loading() {
    loading = true;
    loadingSince = System.nanoTime();
  }

  /** The loader has answered. */
  synchronized void loaded() {
    loading = false;
    loadNanos += System.nanoTime() - loadingSince;
  }

  /** How long the loader has been waited for until now, to be handed to {@link #waited}. */
  synchronized long loadNanos() {
    return loadNanos + (loading ? System.nanoTime() - loadingSince : 0);
  }

  /**
   * The consumer has waited. Counted is the time in which the loader was waited for too: otherwise
   * it is the GPU that is behind.
   *
   * @param nanos how long
   * @param loadNanosBefore what {@link #loadNanos} was at the beginning
   */
  synchronized void waited(long nanos, long loadNanosBefore) {
    waitNanos += Math.min(nanos, loadNanos() - loadNanosBefore);
  }

  /** The consumer has been given a batch. */
  synchronized void delivered() {
    batches++;
  }

  synchronized DeviceStats stats() {
    long copyNanos = (long) (copyMillis * 1e6);
    return new DeviceStats(
        Transfer.STREAM,
        batches,
        bytes,
        pinnedBytes,
        Duration.ofNanos(copyNanos),
        Duration.ofNanos(Math.max(0, runNanos() - copyNanos)),
        Duration.ofNanos(waitNanos),
        Optional.empty());
  }
}
