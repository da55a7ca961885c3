/**
 * Stores that one task or many write: the implementation of {@link
 * io.feedline.formats.store.PackingJob}.
 *
 * <p>A process that writes a store alone is a job of one task: it writes the shards and what comes
 * last into one {@link io.feedline.formats.store.internal.staging.StagedOutput}, whose name is the
 * commit, and continues behind the last whole shard.
 *
 * <p>Of many tasks, each attempt writes into a directory of its own, a {@link
 * io.feedline.formats.store.internal.staging.StagedOutput} without journal and lock; the driver
 * writes the index last, and that write commits the job. {@link
 * io.feedline.formats.store.internal.jobs.JobFormat} is the part of a format, {@link
 * io.feedline.formats.store.internal.jobs.JobIndex} the content of the index.
 */
@NullMarked
package io.feedline.formats.store.internal.jobs;

import org.jspecify.annotations.NullMarked;
