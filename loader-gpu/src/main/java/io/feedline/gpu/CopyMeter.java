package io.feedline.gpu;

import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.stats.Stalls;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Counts the copies and waits of a {@link CudaFeed}. Thread-safe. */
final class CopyMeter {

  /**
   * The number of batches before a share is reported, since each run waits for its first batches.
   */
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

  /**
   * A meter that asks a clock.
   *
   * @param clock as {@link System#nanoTime}
   */
  CopyMeter(LongSupplier clock) {
    this.clock = clock;
  }

  /** The time as the meter knows it. */
  long nanoTime() {
    return clock.getAsLong();
  }

  /** A copy is done; {@code millis} on the GPU's clock. */
  synchronized void copied(long copiedBytes, long copiedPinned, double millis) {
    bytes += copiedBytes;
    pinnedBytes += copiedPinned;
    copyMillis += millis;
  }

  /**
   * The copying thread was held up by copies. Only the time of the copies counts, not the time
   * until the GPU begins them.
   *
   * @param nanos how long it was held up
   * @param copyNanos how long the copies take
   */
  synchronized void heldUp(long nanos, long copyNanos) {
    heldUpNanos += Math.min(nanos, copyNanos);
  }

  /**
   * Returns the expected time of copying a number of bytes; without a limit before the first copy.
   */
  synchronized long expectedNanos(long copied) {
    return bytes == 0 ? Long.MAX_VALUE : (long) (copyMillis * 1e6 / bytes * copied);
  }

  /** Returns the time that copies have held up the copying thread until now. */
  synchronized long heldUpNanos() {
    return heldUpNanos;
  }

  /** Notes that an epoch begins, on a number of devices. */
  synchronized void began(int devices) {
    running = devices;
    runningSince = nanoTime();
  }

  /** The epoch has ended. */
  synchronized void ended() {
    runNanos = runNanos();
    running = 0;
  }

  private long runNanos() {
    return runNanos + running * (nanoTime() - runningSince);
  }

  /** The copying thread asks the loader for a batch. */
  synchronized void loading() {
    loading = true;
    loadingSince = nanoTime();
  }

  /** The loader has answered. */
  synchronized void loaded() {
    loading = false;
    loadNanos += nanoTime() - loadingSince;
  }

  /** Returns the time waited for the loader until now, to be handed to {@link #waited}. */
  synchronized long loadNanos() {
    return loadNanos + (loading ? nanoTime() - loadingSince : 0);
  }

  /**
   * The consumer has waited. Counted is the time in which the loader was waited for too: otherwise
   * it is the GPU that is behind.
   *
   * @param nanos how long
   * @param loadNanosBefore {@link #loadNanos} at the beginning of the wait
   * @return the counted nanoseconds
   */
  synchronized long waited(long nanos, long loadNanosBefore) {
    long loading = Math.min(nanos, loadNanos() - loadNanosBefore);
    waitNanos += loading;
    return loading;
  }

  /** The consumer has been given a batch. */
  synchronized void delivered() {
    batches++;
  }

  /** Tests whether anything was copied out of pageable memory. */
  synchronized boolean pageable() {
    return pinnedBytes < bytes;
  }

  /** A GPU had nothing to compute while its next batch was copied, as {@link StallClock} says. */
  synchronized void stalled(long nanos) {
    stalledNanos += nanos;
  }

  /**
   * Returns the share of the epochs' time for which copies kept the GPUs idle; 0 before enough
   * batches.
   */
  synchronized double stalledShare() {
    long run = runNanos();
    return batches < ENOUGH_BATCHES || run == 0 ? 0 : (double) stalledNanos / run;
  }

  /** Returns the figures, with stalls that {@link DeviceStalls} has judged. */
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
