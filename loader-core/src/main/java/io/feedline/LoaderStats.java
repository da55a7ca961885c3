package io.feedline;

import java.time.Duration;

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
    long hostBytes) {}
