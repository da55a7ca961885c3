package io.feedline.gpu;

import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.stats.Stalls;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A counter of the copies and waits of a {@link CudaFeed}. Thread-safe. */
final class CopyMeter {

  /** The batch count below which {@link #stalledShare} is 0, as each run waits at its start. */
  private static final int ENOUGH_BATCHES = 100;

  private final LongSupplier clock;
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
  private long stalledNanos;
  private long heldUpNanos;

  CopyMeter() {
    this(System::nanoTime);
  }

  CopyMeter(LongSupplier clock) {
    this.clock = clock;
  }

  long nanoTime() {
    return clock.getAsLong();
  }

  /** Adds a copy, which took {@code millis} on the GPU's clock. */
  synchronized void copied(long copiedBytes, long copiedPinned, double millis) {
    bytes += copiedBytes;
    pinnedBytes += copiedPinned;
    copyMillis += millis;
  }

  /**
   * Adds the time for which a copy held up the copying thread: {@code nanos}, but at most the
   * copy's own duration, {@code copyNanos}. The GPU's earlier work caused any longer time.
   */
  synchronized void heldUp(long nanos, long copyNanos) {
    heldUpNanos += Math.min(nanos, copyNanos);
  }

  /** Returns the expected nanoseconds of a copy; {@link Long#MAX_VALUE} before the first copy. */
  synchronized long expectedNanos(long copied) {
    return bytes == 0 ? Long.MAX_VALUE : (long) (copyMillis * 1e6 / bytes * copied);
  }

  synchronized long heldUpNanos() {
    return heldUpNanos;
  }

  synchronized void began(int devices) {
    running = devices;
    runningSince = nanoTime();
  }

  synchronized void ended() {
    runNanos = runNanos();
    running = 0;
  }

  private long runNanos() {
    return runNanos + running * (nanoTime() - runningSince);
  }

  synchronized void loading() {
    loading = true;
    loadingSince = nanoTime();
  }

  synchronized void loaded() {
    loading = false;
    loadNanos += nanoTime() - loadingSince;
  }

  /** Returns how long the copying thread has waited for the loader so far, in nanoseconds. */
  synchronized long loadNanos() {
    return loadNanos + (loading ? nanoTime() - loadingSince : 0);
  }

  /**
   * Adds a wait of the consumer. Counts only the time in which the copying thread waited for the
   * loader; in the remaining time the consumer waited for the GPU.
   *
   * @param loadNanosBefore the result of {@link #loadNanos} when the wait began
   * @return the counted nanoseconds
   */
  synchronized long waited(long nanos, long loadNanosBefore) {
    long loading = Math.min(nanos, loadNanos() - loadNanosBefore);
    waitNanos += loading;
    return loading;
  }

  synchronized void delivered() {
    batches++;
  }

  synchronized boolean pageable() {
    return pinnedBytes < bytes;
  }

  /** Adds time in which a GPU had nothing to compute while its next batch was copied. */
  synchronized void stalled(long nanos) {
    stalledNanos += nanos;
  }

  /** Returns the share of the epochs' time in which copies kept GPUs idle; 0 below 100 batches. */
  synchronized double stalledShare() {
    long run = runNanos();
    return batches < ENOUGH_BATCHES || run == 0 ? 0 : (double) stalledNanos / run;
  }

  synchronized DeviceStats stats(Stalls stalls) {
    long copyNanos = (long) (copyMillis * 1e6);
    return DeviceStats.of(
        Transfer.STREAM,
        new long[] {batches, bytes, pinnedBytes},
        new long[] {copyNanos, Math.max(0, runNanos() - copyNanos), waitNanos},
        stalls,
        Optional.empty());
  }
}
