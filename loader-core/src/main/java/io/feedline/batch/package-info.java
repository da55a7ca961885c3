/**
 * Tensors, batches, and the collators that make batches of samples.
 *
 * <p>A {@link io.feedline.batch.Collator} makes a {@link io.feedline.batch.Batch} of samples: named
 * {@linkplain io.feedline.batch.Tensor tensors} with the batch as their first axis, and named lists
 * of values. A {@link io.feedline.batch.RowCollator} makes a plan from one sample; by this plan,
 * each sample writes itself into its row. So nothing is copied: a {@link
 * io.feedline.batch.TensorSource}, such as an image that has not been decoded yet, is computed in
 * its row. A {@link io.feedline.batch.ListCollator} gets all samples of a batch at once, and is
 * easier to write. A {@link io.feedline.batch.BatchTransform}, such as MixUp, changes a batch
 * afterwards.
 *
 * <p>The memory of batches comes from a {@link io.feedline.batch.HostAllocator}. After the consumer
 * has closed a batch, its tensors throw, and a later batch uses its memory. Collators and batch
 * transforms are called by many workers at once. A row is written by one thread; the rows of a
 * batch by many.
 *
 * <p>To create a collator, implement a {@code ListCollator}, or a {@code RowCollator} if speed
 * matters; a kind of sample that a cache cannot keep needs a {@link io.feedline.batch.SampleCodec};
 * other memory needs a {@code HostAllocator}. A test of code that takes batches makes them by
 * {@link io.feedline.batch.Batch#of}.
 */
@NullMarked
package io.feedline.batch;

import org.jspecify.annotations.NullMarked;
