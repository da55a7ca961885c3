package io.feedline.gpu;

import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.stats.Stalls;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The figures of what a {@link DeviceLoader} has done so far: a snapshot. Immutable.
 *
 * @param transfer how the batches got to the device
 * @param batches how many the consumer was given
 * @param bytes how many were copied to the device; 0 where arrays are views
 * @param pinnedBytes how many of them came from page-locked memory, as the driver knows it; 0 where
 *     it was not asked, without {@link Transfer#STREAM}
 * @param copying how long the copies took: on the GPU's clock with {@link Transfer#STREAM},
 *     otherwise on the consumer's
 * @param copyIdle how long the copying stream had nothing to do during the epochs, because the
 *     loader had no batch or the device no room; zero where there is no such stream
 * @param waited how long the consumer waited because the loader had no batch; that a GPU is behind
 *     is not counted
 * @param stalls the waits of {@code next()} of the loader's {@code stallThreshold} or longer, in
 *     which the device had nothing to do, by their cause: the device copy, or what the loader says.
 *     With {@link Transfer#STREAM} one is told when the device has come so far, at a later wait
 * @param fallback why the batches do not go through a copying stream, although they go to a GPU;
 *     empty otherwise
 */
public record DeviceStats(
    Transfer transfer,
    long batches,
    long bytes,
    long pinnedBytes,
    Duration copying,
    Duration copyIdle,
    Duration waited,
    Stalls stalls,
    Optional<String> fallback) {

  /** Returns how fast the copies were, in GB (10^9 bytes) per second; 0 if there were none. */
  public double gigabytesPerSecond() {
    return copying.isZero() ? 0 : bytes / (double) copying.toNanos();
  }

  /**
   * Returns what kind of host memory the copies came from, in a word or two: {@code pinned}, {@code
   * pageable}, {@code partly pinned}; {@code host} where that is not known, {@code none} where
   * nothing was copied.
   */
  public String memory() {
    if (bytes == 0) {
      return "none";
    }
    if (transfer != Transfer.STREAM) {
      return "host";
    }
    if (pinnedBytes == bytes) {
      return "pinned";
    }
    return pinnedBytes == 0 ? "pageable" : "partly pinned";
  }

  /**
   * Returns all in one line, for example {@code 1250 batches, 24.08 GB from pinned memory at 25.1
   * GB/s, waited 310 ms for data, copying stream idle 11.2 s}.
   */
  @Override
  public String toString() {
    String given = Counts.of(batches, "batch");
    String wait = "waited %s for data".formatted(Durations.words(waited));
    if (transfer == Transfer.VIEW) {
      return given + " without a copy, " + wait;
    }
    if (bytes == 0) {
      return given + ", nothing copied, " + wait;
    }
    String copied =
        String.format(
            Locale.ROOT,
            "%s, %.2f GB from %s memory at %.1f GB/s, %s",
            given,
            bytes / 1e9,
            memory(),
            gigabytesPerSecond(),
            wait);
    return transfer == Transfer.COPY
        ? copied
        : copied + ", copying stream idle " + Durations.words(copyIdle);
  }
}
