package io.feedline.gpu;

import java.time.Duration;
import java.util.Optional;

/** Counts what a {@link CudaFeed} does. Thread-safe. */
final class CopyMeter {

  private long batches;
  private long bytes;
  private long pinnedBytes;
  private double copyMillis;
  private long copiersNanos;
  private long waitNanos;

  /** A copy is done; {@code millis} on the GPU's clock. */
  synchronized void copied(long copiedBytes, long copiedPinned, double millis) {
    bytes += copiedBytes;
    pinnedBytes += copiedPinned;
    copyMillis += millis;
  }

  /** An epoch was under way for so long, on one device. */
  synchronized void ran(long nanos) {
    copiersNanos += nanos;
  }

  /** The consumer has waited. */
  synchronized void waited(long nanos) {
    waitNanos += nanos;
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
        Duration.ofNanos(Math.max(0, copiersNanos - copyNanos)),
        Duration.ofNanos(waitNanos),
        Optional.empty());
  }
}
