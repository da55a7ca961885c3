/**
 * The transfer of a loader's batches to DJL, on the CPU and on GPUs.
 *
 * <p>A consumer owns the device batches that it takes, and closes them. Closing a batch closes its
 * arrays, and returns the batch's memory to the loader if the arrays are views of it. Each batch
 * has an {@link ai.djl.ndarray.NDManager} of its own, a child of the device loader's manager.
 * Closing a manager also closes the batches whose managers are its children. So a failed training
 * returns all memory when its trainer is closed. A device loader is also closed with the manager
 * that it was built with.
 *
 * <p>One thread at a time iterates. On the CPU, and where DJL copies, no threads are started. For
 * GPUs the thread {@code feedline-NAME-copy}, not the consumer, reads the host loader; with {@code
 * numWorkers(0)} this thread also makes the samples.
 */
@NullMarked
package io.feedline.gpu;

import org.jspecify.annotations.NullMarked;
