/**
 * Samplers: the orders in which epochs visit a dataset.
 *
 * <p>A {@link io.feedline.sampler.Sampler} returns an {@link io.feedline.sampler.Sampler.Order} for
 * each epoch: a length, and the index at a position. A {@link io.feedline.sampler.BatchSampler}
 * groups positions into batches. Nothing here knows datasets or loaders, holds state, or depends on
 * history: position 17 of epoch 4 can be asked for at any time, by any thread. So claiming work is
 * an increment, and a state to resume is a few numbers.
 *
 * <p>Orders are functions, not lists: {@code Permutation} computes the index at a position, and a
 * random draw is computed from its number. The Javadoc of each sampler states its memory. Types
 * whose names begin with {@code Torch} give PyTorch's own orders, index for index.
 *
 * <p>To create your own: implement {@code Sampler} with an {@code Order} that is a pure function of
 * the position; extend {@code SamplerContract} in its test, or {@code BatchSamplerContract}.
 */
@NullMarked
package io.feedline.sampler;

import org.jspecify.annotations.NullMarked;
