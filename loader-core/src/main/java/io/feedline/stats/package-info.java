/**
 * The figures of a loader: what its batches cost, where the time of samples went, and when the
 * consumer waited.
 *
 * <p>{@link io.feedline.stats.LoaderStats} is the one snapshot; it has an {@link
 * io.feedline.stats.EpochStats} for each epoch and the {@link io.feedline.stats.Stalls}. {@link
 * io.feedline.stats.ServiceLevel} is what a training asks of a loader, {@link
 * io.feedline.stats.RunRecord} the record of a run for other programs. {@link
 * io.feedline.DataLoader#stats()} makes the first, {@link io.feedline.DataLoader#runRecord()} the
 * last; Micrometer, the progress bar and the report read these and nothing else.
 *
 * <p>All types are immutable and thread-safe.
 */
@NullMarked
package io.feedline.stats;

import org.jspecify.annotations.NullMarked;
