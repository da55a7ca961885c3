package io.feedline.transform;

import java.util.random.RandomGenerator;

/**
 * A pure function of a sample, or of a part of a sample.
 *
 * <p>Called by many workers at once: an implementation is immutable or otherwise thread-safe, and
 * returns equal results for equal inputs. A transform that draws random numbers is a {@link
 * RandomTransform}; the two types keep randomness visible.
 *
 * @param <A> the type of the input
 * @param <B> the type of the result
 */
@FunctionalInterface
public interface Transform<A, B> extends RandomTransform<A, B> {
  /**
   * Transforms one value.
   *
   * @throws Exception any failure; a loader delivers it in a {@code LoaderException} at the turn of
   *     the batch that the sample belongs to
   */
  B apply(A input) throws Exception;

  /** Transforms one value without drawing, so that a pure transform is also a random transform. */
  @Override
  default B apply(A input, RandomGenerator random) throws Exception {
    return apply(input);
  }

  /** Returns the transform that applies this transform, then {@code next}. */
  @Override
  default <C> Transform<A, C> andThen(Transform<? super B, ? extends C> next) {
    return ComposedTransform.of(this, next);
  }

  /** Returns the random transform that applies this transform, then {@code next}. */
  @Override
  default <C> RandomTransform<A, C> andThen(RandomTransform<? super B, ? extends C> next) {
    return ComposedRandomTransform.of(this, next);
  }
}
