/**
 * The machinery behind a loader's figures; not for users.
 *
 * <p>The engine reports a {@code FinishedBatch}, a {@code BatchTaken} or an {@code ObservedBatch}
 * to {@code LoaderCounters} and {@code JfrEvents}. Only {@code LoaderCounters} fills {@link
 * io.feedline.stats.RunRecord} and LoaderStats. A {@code WorkerClock} times the stages of a
 * worker's samples, in batches that {@code MeasuredBatches} chooses. {@code StallDetector} names
 * the cause of a stall.
 *
 * <p>Nothing here depends on the engine. Workers call their own clock and events; all else is
 * called under the engine's lock or by the consumer.
 */
@NullMarked
package io.feedline.stats.internal;

import org.jspecify.annotations.NullMarked;
