/**
 * The writing of stores by one task or many tasks: the implementation of {@link
 * io.feedline.formats.store.PackingJob}. A process that writes a store alone is a job of one task.
 */
@NullMarked
package io.feedline.formats.store.internal.jobs;

import org.jspecify.annotations.NullMarked;
