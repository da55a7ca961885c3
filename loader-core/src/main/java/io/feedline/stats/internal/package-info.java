/**
 * The machinery behind a loader's figures; not for users.
 *
 * <p>The engine tells {@code Observers} records of what happened: a {@code FinishedBatch}, a {@code
 * BatchTaken}, an {@code ObservedBatch}. There are two {@code LoaderObserver}s: {@code
 * LoaderCounters}, which alone fills {@link io.feedline.stats.RunRecord} and LoaderStats, and
 * {@code JfrEvents}. A {@code WorkerClock} times the stages of a worker's samples, in batches that
 * {@code MeasuredBatches} chooses. {@code StallJudge} names the cause of a stall.
 *
 * <p>Nothing here depends on the engine. Workers call their own clock; observers are called under
 * the engine's lock or by the consumer, as {@code LoaderObserver} says.
 */
@NullMarked
package io.feedline.stats.internal;

import org.jspecify.annotations.NullMarked;
