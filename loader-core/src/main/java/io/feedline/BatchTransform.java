package io.feedline;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A change to a whole batch, made when all its samples are there and before it is handed out: a
 * mixture of samples with each other, as MixUp and CutMix do.
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
 * <p>A loader calls it on the worker that finished the batch, so an implementation is thread-safe:
 * workers may change different batches at once. Its generator is a {@link
 * io.feedline.transform.SampleRandom} made from (seed, epoch, number of the batch, rank), so what a
 * batch becomes depends neither on the number of workers nor on where a run was resumed.
 */
@FunctionalInterface
public interface BatchTransform {
  /**
   * Changes a batch.
   *
   * @param batch not to be kept after the call
   * @param random the only source of randomness, used by this call alone
   * @throws Exception any failure; the loader delivers it in a {@link LoaderException} at the
   *     batch's turn, whatever the error policy, which is about samples
   */
  void apply(MutableBatch batch, RandomGenerator random) throws Exception;

  /**
   * Returns the transform that applies this one, then {@code next}; they draw one after the other.
   */
  default BatchTransform andThen(BatchTransform next) {
    return (batch, random) -> {
      apply(batch, random);
      next.apply(batch, random);
    };
  }

  /**
   * Returns the transform that applies one of several to a batch, each equally likely:
   * torchvision's RandomChoice.
   *
   * @param transforms 1 or more
   * @throws IllegalArgumentException if there is none
   */
  static BatchTransform oneOf(BatchTransform... transforms) {
    List<BatchTransform> choices = List.copyOf(Arrays.asList(transforms));
    if (choices.isEmpty()) {
      throw new IllegalArgumentException("there must be a transform to choose, was " + choices);
    }
    return new BatchTransform() {
      @Override
      public void apply(MutableBatch batch, RandomGenerator random) throws Exception {
        choices.get(random.nextInt(choices.size())).apply(batch, random);
      }

      @Override
      public String toString() {
        return "oneOf" + choices;
      }
    };
  }
}
