package io.feedline.batch;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A change to a whole batch, for example by MixUp, which mixes the samples of the batch. The loader
 * makes the change when all samples are complete, before it delivers the batch.
 *
 * <pre>{@code
 * BatchTransform negate =
 *     (batch, random) -> {
 *       FloatBuffer image = batch.tensor("image").bytes().asFloatBuffer();
 *       for (int i = 0; i < image.limit(); i++) {
 *         image.put(i, -image.get(i));
 *       }
 *     };
 * }</pre>
 *
 * <p>A transform that changes rows only by {@link MutableBatch#mixRows}, {@link
 * MutableBatch#passOn}, {@link MutableBatch#fill} and {@link MutableBatch#toProbabilities} also
 * runs on a GPU, by {@code transformOnDevice} of loader-gpu's builders.
 *
 * <p>A loader calls it on the worker that finished the batch, so an implementation must be
 * thread-safe: workers may change different batches at once. Its generator is a {@link
 * io.feedline.transform.SampleRandom} made from (seed, epoch, number of the batch, rank), so the
 * changed batch depends neither on the number of workers nor on where a run was resumed.
 */
@FunctionalInterface
public interface BatchTransform {
  /**
   * Changes a batch.
   *
   * @param random the only source of randomness, used by this call alone
   * @throws Exception any failure; the loader delivers it in a {@link
   *     io.feedline.data.LoaderException} at the batch's turn, under every error policy, since
   *     policies apply to samples
   */
  void apply(MutableBatch batch, RandomGenerator random) throws Exception;

  /** Returns the transform that applies this, then {@code next}, both with the same generator. */
  default BatchTransform andThen(BatchTransform next) {
    return ComposedBatchTransform.of(false, this, next);
  }

  /**
   * Returns the transform that applies one of several transforms to each batch, drawn with equal
   * probabilities: torchvision's RandomChoice.
   *
   * @param transforms 1 or more
   * @throws IllegalArgumentException if the list is empty
   */
  static BatchTransform oneOf(BatchTransform... transforms) {
    return ComposedBatchTransform.of(true, transforms);
  }

  /**
   * A batch that has not been delivered yet, for a {@link BatchTransform} to change. Its tensors
   * are changed in place, through {@link Tensor#bytes}, or {@linkplain #replace replaced}.
   *
   * <p>Valid during one call of {@link BatchTransform#apply}, in the calling thread; afterwards its
   * methods and its tensors throw {@link IllegalStateException}.
   */
  interface MutableBatch {
    /** Returns the number of samples, as {@link Batch#size} does. */
    int size();

    /**
     * Returns the number of samples at the front that are not padding, as {@link Batch#valid} does.
     * The padding repeats the first samples; a transform that writes rows itself calls {@link
     * #repeatPadding} afterwards.
     */
    int valid();

    /** Returns the epoch that the batch belongs to, counted from 0. */
    long epoch();

    /** Returns the batch's number within its epoch, counted from 0. */
    long number();

    /** Returns the tensor of a name as {@link Batch#tensor} does; its elements may be changed. */
    Tensor tensor(String name);

    /** Returns all tensors by name, in the order of the sample's entries. Unmodifiable. */
    Map<String, Tensor> tensors();

    /** Returns the values of a name, as {@link Batch#values(String)} does. */
    List<?> values(String name);

    /**
     * Replaces a tensor by a tensor of another dtype or shape, with the same name and place. The
     * old content stays readable, through a {@link Tensor} obtained before, until the call of the
     * transform ends.
     *
     * @param shape the whole shape, with the batch axis if it has one
     * @return the new tensor's memory in the batch, to be filled: a direct buffer in the machine's
     *     byte order, position 0, limit the tensor's size; its content is arbitrary
     * @throws IllegalArgumentException if there is no tensor of this name, or the new tensor would
     *     be too large
     */
    ByteBuffer replace(String name, DType dtype, Shape shape);

    /**
     * Copies the first rows of a tensor over the rows that pad the batch; does nothing if {@link
     * #valid} is {@link #size}.
     *
     * @throws IllegalArgumentException if there is no tensor of this name, or its first axis has
     *     another length than the batch
     */
    default void repeatPadding(String name) {
      ByteBuffer rows = RowChanges.rows(this, name).bytes();
      int rowBytes = rows.capacity() / size();
      for (int row = valid(); row < size(); row++) {
        rows.put(row * rowBytes, rows, (row % valid()) * rowBytes, rowBytes);
      }
    }

    /** Returns the shape of a tensor, the batch axis first; throws as {@link #tensor} does. */
    default Shape shape(String name) {
      return tensor(name).shape();
    }

    /** Returns the dtype of a tensor; throws as {@link #tensor} does. */
    default DType dtype(String name) {
      return tensor(name).dtype();
    }

    /**
     * Mixes each row of a tensor with the former content of the row before it, and the first row
     * with the last: {@code row * share + before * (1 - share)}. Each product and the sum are
     * rounded. Only the first {@link #valid} rows are mixed; the padding repeats the results.
     *
     * @param name the name of a FLOAT32 tensor; on a device, also of a FLOAT16 tensor
     * @param share the share that a row itself has in the result, 0 to 1
     * @throws IllegalArgumentException if there is no such tensor, with the batch as its first axis
     */
    default void mixRows(String name, double share) {
      RowChanges.mix(this, name, share);
    }

    /**
     * Copies the former content of a block of each row to the next row, and of the last row to the
     * first. Changes only the first {@link #valid} rows; the padding repeats the results.
     *
     * @param name the name of a tensor of any dtype
     * @param from the beginning of the block on each axis after the batch axis
     * @param to the end of the block on the same axes, exclusive; a block without elements changes
     *     nothing
     * @throws IllegalArgumentException if there is no tensor of this name with the batch as its
     *     first axis, or rows have no such block
     */
    default void passOn(String name, long[] from, long[] to) {
      RowChanges.passOn(this, name, from, to);
    }

    /**
     * Overwrites a block of a row, and the same block of each padding row that repeats the row.
     *
     * @param name the name of a tensor of UINT8 or of a floating-point dtype
     * @param row 0 or more, below {@link #valid}
     * @param from the beginning of the block on each axis after the batch axis
     * @param to the end of the block on the same axes, exclusive
     * @param value the value of each element, rounded to the tensor's dtype
     * @throws IllegalArgumentException if there is no tensor of this name with the batch as its
     *     first axis, rows have no such block, or UINT8 cannot hold the value
     * @throws IndexOutOfBoundsException if there is no such row
     */
    default void fill(String name, int row, long[] from, long[] to, double value) {
      RowChanges.fill(this, name, row, from, to, value);
    }

    /**
     * Replaces class numbers by probabilities: a row of zeros with a one in the place of the class.
     * Does nothing if the tensor already has probabilities.
     *
     * @param name the name of a tensor of INT64 (n), or FLOAT32 (n, classes)
     * @param classes the number of classes, 1 or more
     * @throws IllegalArgumentException if there is no such tensor, or a class number is not from 0
     *     to {@code classes - 1}
     */
    default void toProbabilities(String name, int classes) {
      RowChanges.toProbabilities(this, name, classes);
    }
  }
}
