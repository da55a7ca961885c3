/**
 * Samplers: the orders in which epochs visit a dataset.
 *
 * <p>A {@link io.feedline.sampler.Sampler} gives an {@link io.feedline.sampler.Sampler.Order} for
 * each epoch: a length, and the index at a position. A {@link io.feedline.sampler.BatchSampler}
 * groups positions into batches. Nothing here knows datasets or loaders, holds state, or depends on
 * history: position 17 of epoch 4 can be asked for at any time, by any thread. So claiming work is
 * an increment, and a state to resume is a few numbers.
 *
 * <p>Orders are functions, not lists: {@code Permutation} computes where a position goes, and draws
 * are found by their number. Samplers that sort keep 4 bytes per sample; the Javadoc of each
 * sampler states its memory.
 *
 * <ul>
 *   <li>From index to order: {@link io.feedline.sampler.SequentialSampler}, {@link
 *       io.feedline.sampler.RandomSampler}, {@link io.feedline.sampler.SubsetRandomSampler}, {@link
 *       io.feedline.sampler.WeightedRandomSampler}.
 *   <li>For packed data: {@link io.feedline.sampler.ShardedSampler} reads some shards at a time.
 *   <li>For samples of various length: {@link io.feedline.sampler.LengthBucketBatchSampler}, {@link
 *       io.feedline.sampler.TokenBudgetBatchSampler}.
 *   <li>For several processes: {@link io.feedline.sampler.DistributedSampler} around a sampler,
 *       {@link io.feedline.sampler.DistributedBatchSampler} around a batch sampler; {@link
 *       io.feedline.sampler.WorldInfo} is the rank of this process, {@link
 *       io.feedline.sampler.DistributedSampler.Remainder} the treatment of an uneven rest.
 * </ul>
 *
 * <p>The samplers and splits whose names begin with {@code Torch} give PyTorch's own orders, index
 * for index, of epochs that run to their end. PyTorch's generator advances as indices are asked
 * for, so behind an epoch that was left early its order is another: that of a sampler that {@link
 * io.feedline.sampler.TorchSampler#startingAt starts at a given draw}.
 *
 * <p>To create your own: implement {@code Sampler} with an {@code Order} that is a pure function of
 * the position; extend {@code SamplerContract} in its test, or {@code BatchSamplerContract}.
 */
@NullMarked
package io.feedline.sampler;

import org.jspecify.annotations.NullMarked;
