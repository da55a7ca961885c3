/**
 * The way from a loader's batches to DJL, on the CPU and on GPUs.
 *
 * <p>A device batch belongs to the consumer that took it, who closes it; that closes its arrays,
 * and returns the slot to the loader if they were views of it. Each batch has an {@link
 * ai.djl.ndarray.NDManager} of its own, below the one that the loader was given. A slot that is
 * viewed hangs on that manager too, so that a training that fails half-way gives all slots back
 * when its trainer is closed; a device loader closes itself with the manager that it was given.
 *
 * <p>One thread at a time iterates. On the CPU, and where DJL copies, no threads are started. For
 * GPUs the thread {@code feedline-NAME-copy} reads the host loader in the consumer's place; with
 * {@code numWorkers(0)} samples are made in it.
 */
@NullMarked
package io.feedline.gpu;

import org.jspecify.annotations.NullMarked;
