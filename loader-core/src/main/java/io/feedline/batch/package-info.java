/**
 * Tensors, batches, and how samples become batches.
 *
 * <h2>The nouns</h2>
 *
 * <p>A {@link io.feedline.batch.Tensor} is an array in host memory: {@linkplain
 * io.feedline.batch.DType dtype}, {@linkplain io.feedline.batch.Shape shape} and bytes. A {@link
 * io.feedline.batch.Batch} is samples put together: named tensors with the batch as their first
 * axis, and named lists of values. A {@link io.feedline.batch.Collator} makes it of samples. The
 * default collator stacks entries of one shape; a {@link io.feedline.batch.PaddingCollator} pads
 * entries of different lengths.
 *
 * <p>Most collators work row by row: a {@link io.feedline.batch.RowCollator} looks at one sample
 * and makes a {@link io.feedline.batch.RowCollator.Plan}, which knows the batch's {@link
 * io.feedline.batch.RowCollator.Layout layout} and lets each sample write itself into its {@link
 * io.feedline.batch.RowCollator.Row}. So nothing is copied: a {@link
 * io.feedline.batch.TensorSource}, such as an image that has not been decoded yet, is computed in
 * its row. A {@link io.feedline.batch.ListCollator} is given all samples of a batch at once, and is
 * easier to write. A {@link io.feedline.batch.BatchTransform} changes a batch afterwards, such as
 * MixUp.
 *
 * <h2>Memory</h2>
 *
 * <p>The memory of batches comes from a {@link io.feedline.batch.HostAllocator}. The consumer
 * closes a batch; then a later batch uses its memory, and its tensors throw. {@link
 * io.feedline.batch.Tensor#copy} keeps one for longer.
 *
 * <h2>Threads</h2>
 *
 * <p>Collators and batch transforms are called by many workers at once. A row is written by one
 * thread; the rows of a batch by many.
 *
 * <h2>To create your own</h2>
 *
 * <p>A collator: write a {@code ListCollator}; where speed matters, a {@code RowCollator}. A kind
 * of sample that a cache cannot keep: a {@link io.feedline.batch.SampleCodec}. Other memory: a
 * {@code HostAllocator}. A test of code that takes batches makes them by {@link
 * io.feedline.batch.Batch#of}.
 */
@NullMarked
package io.feedline.batch;

import org.jspecify.annotations.NullMarked;
