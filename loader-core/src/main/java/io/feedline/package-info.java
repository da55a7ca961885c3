/**
 * The loader: batches of a dataset, prepared ahead by workers.
 *
 * <h2>The nouns</h2>
 *
 * <p>A {@link io.feedline.DataLoader} takes the indices of a {@link io.feedline.data.Dataset} in
 * the order of a {@link io.feedline.sampler.Sampler}, lets the dataset make each sample, and has a
 * {@link io.feedline.batch.Collator} write it into its row of a {@link io.feedline.batch.Batch}. A
 * {@link io.feedline.DataLoaderBuilder} has the options. One pass is an {@link
 * io.feedline.DataLoader.Epoch}; a {@link io.feedline.LoaderState} is the consumer's position in
 * it, from which a loader with other workers continues with the identical batches. An {@link
 * io.feedline.ErrorPolicy} says what happens to a sample that fails.
 *
 * <h2>Memory</h2>
 *
 * <p>Batches live in slots, whose memory comes from a {@link io.feedline.batch.HostAllocator},
 * once. A batch is lent to the consumer, who closes it; then its slot takes a later batch. The
 * number of slots, {@code prefetch + maxOpenBatches}, bounds the loader's memory. The caller who
 * built the loader closes it.
 *
 * <h2>Null</h2>
 *
 * <p>No method here takes or returns null unless its documentation says so; a value that may be
 * absent is an {@link java.util.Optional}, or empty. The one exception is {@link
 * io.feedline.data.SampleStream#next}, which ends a stream with null. A null argument is a {@link
 * NullPointerException}, at the call or when the argument is first used. The other packages follow
 * the same rule.
 *
 * <h2>Threads</h2>
 *
 * <p>Workers call the dataset, its transforms and the collator, all at once. Other threads of the
 * loader may read ahead of them. One consumer at a time iterates. Nothing that is delivered depends
 * on which worker was faster. The engine's story is told in {@code Engine} and {@code BatchTask}.
 *
 * <h2>To create your own</h2>
 *
 * <p>Datasets: see {@link io.feedline.data}. Collators, transforms of batches and allocators: see
 * {@link io.feedline.batch}. Orders: see {@link io.feedline.sampler}.
 */
@NullMarked
package io.feedline;

import org.jspecify.annotations.NullMarked;
