package io.feedline;

import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.Locale;

/**
 * The figures of what a loader has done so far: a snapshot.
 *
 * @param batches delivered
 * @param samples delivered in them
 * @param failures batches that ended in an exception
 * @param tolerated samples that failed and were skipped or substituted
 * @param waited how long the consumer has waited in {@code next()}, in all
 * @param waitedP50 half of the waits were no longer than this (to within 7%); never above waitedMax
 * @param waitedP99 99 in 100 of the waits were no longer than this (to within 7%), likewise
 * @param waitedMax the longest wait
 * @param batchesReady finished and not yet taken
 * @param batchesOpen taken and not yet closed
 * @param hostBytes memory that the slots have taken from their {@link HostAllocator}
 */
public record LoaderStats(
    long batches,
    long samples,
    long failures,
    long tolerated,
    Duration waited,
    Duration waitedP50,
    Duration waitedP99,
    Duration waitedMax,
    int batchesReady,
    int batchesOpen,
    long hostBytes) {

  /**
   * Returns, for example {@code 128 batches, 4096 samples, waited 1.3 s (half up to 2 ms, 99% up to
   * 35 ms, at most 40 ms), 2 batches ready, 1 open, 154.1 MB}.
   */
  @Override
  public String toString() {
    String failed =
        failures == 0 && tolerated == 0
            ? ""
            : "%d failed batches, %d tolerated samples, ".formatted(failures, tolerated);
    return String.format(
        Locale.ROOT,
        "%d batches, %d samples, %swaited %s (half up to %s, 99%% up to %s, at most %s), %d batches"
            + " ready, %d open, %.1f MB",
        batches,
        samples,
        failed,
        Durations.words(waited),
        Durations.words(waitedP50),
        Durations.words(waitedP99),
        Durations.words(waitedMax),
        batchesReady,
        batchesOpen,
        hostBytes / 1e6);
  }
}
