/**
 * The loader: batches of a dataset, prepared ahead by workers.
 *
 * <p>A {@link io.feedline.DataLoader} takes the indices of a {@link io.feedline.data.Dataset} in
 * the order of a {@link io.feedline.sampler.Sampler}, lets the dataset make each sample, and has a
 * {@link io.feedline.batch.Collator} write the sample into its row of a {@link
 * io.feedline.batch.Batch}. One pass is an {@link io.feedline.DataLoader.Epoch}; a {@link
 * io.feedline.LoaderState} is the consumer's position in the epoch, from which a loader with other
 * workers continues with the identical batches.
 *
 * <p><b>Memory.</b> Batches live in slots, whose memory comes once from a {@link
 * io.feedline.batch.HostAllocator}. The consumer closes each batch; then its slot takes a later
 * batch. The number of slots, {@code prefetch + maxOpenBatches}, bounds the loader's memory. The
 * caller who built the loader closes it.
 *
 * <p><b>Null.</b> No method of Feedline takes or returns null unless its documentation says so; a
 * value that may be absent is an {@link java.util.Optional}, or an empty collection or text. A null
 * argument causes a {@link NullPointerException}, at the call or when the argument is first used.
 *
 * <p><b>Threads.</b> Workers call the dataset, its transforms and the collator, all at once. Other
 * threads of the loader may read ahead of them. One consumer at a time iterates. Nothing that is
 * delivered depends on which worker was faster. {@code Engine} and {@code BatchTask} explain the
 * engine.
 *
 * <p>See {@link io.feedline.data} to write datasets, {@link io.feedline.batch} to write collators,
 * transforms of batches and allocators, and {@link io.feedline.sampler} to write orders.
 */
@NullMarked
package io.feedline;

import org.jspecify.annotations.NullMarked;
