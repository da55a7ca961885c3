/**
 * The figures (counts and times) of a loader: the cost of its batches, the times of its samples,
 * and the consumer's waits.
 *
 * <p>{@link io.feedline.stats.RunRecord} is the record of a run, also as JSON; {@link
 * io.feedline.stats.LoaderStats} contains the figures of a moment. Both have an {@link
 * io.feedline.stats.LoaderStats.Epoch} for each epoch and the {@link io.feedline.stats.Stalls}.
 * {@link io.feedline.stats.Bottleneck} is the diagnosis of a record, {@link
 * io.feedline.stats.ServiceLevel} is a training's demand on a loader. {@link
 * io.feedline.DataLoader#runRecord()} and {@link io.feedline.DataLoader#stats()} make them;
 * Micrometer, the progress bar, the report and the command read only these figures.
 *
 * <p>All types are immutable and thread-safe.
 */
@NullMarked
package io.feedline.stats;

import org.jspecify.annotations.NullMarked;
