/**
 * Stores that many tasks write together: the implementation of {@link
 * io.feedline.formats.store.PackingJob}.
 *
 * <p>Each attempt of a task writes into a directory of its own, a {@link
 * io.feedline.formats.store.internal.staging.StagedOutput} without journal and lock; the driver
 * writes the index last, and that write commits the job. {@link
 * io.feedline.formats.store.internal.jobs.JobFormat} is the part of a format, {@link
 * io.feedline.formats.store.internal.jobs.JobIndex} the content of the index.
 */
@NullMarked
package io.feedline.formats.store.internal.jobs;

import org.jspecify.annotations.NullMarked;
