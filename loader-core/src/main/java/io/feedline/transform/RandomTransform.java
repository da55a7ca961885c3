package io.feedline.transform;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A function of a sample, or of a part of a sample, that draws from the generator in its argument.
 *
 * <pre>{@code
 * (image, generator) -> generator.nextBoolean() ? image.rotate90(1) : image.rotate90(3)
 * }</pre>
 *
 * <p>Inside a loader that generator is a {@link SampleRandom}, made from (seed, epoch, index,
 * occurrence of the index, position of the transform among the sample's random transforms), so the
 * result does not depend on the thread, the number of workers, or the samples loaded before. An
 * implementation draws from no other source and keeps no state; many workers call it at once.
 *
 * @param <A> the type of the input
 * @param <B> the type of the result
 */
@FunctionalInterface
public interface RandomTransform<A, B> {
  /**
   * Transforms one value.
   *
   * @param random the only source of randomness, used by this call alone
   * @throws Exception any failure; a loader delivers it in a {@code LoaderException} at the turn of
   *     the batch that the sample belongs to
   */
  B apply(A input, RandomGenerator random) throws Exception;

  /**
   * Returns the random transform that applies this transform, then {@code next}. If the generator
   * is a {@link SampleRandom}, each member of the composition draws from a stream of its own, so a
   * change of one member does not change the draws of other members. From any other generator, the
   * members draw one after the other.
   */
  default <C> RandomTransform<A, C> andThen(RandomTransform<? super B, ? extends C> next) {
    return ComposedRandomTransform.of(this, next);
  }

  /** Returns the random transform that applies this transform, then the pure {@code next}. */
  default <C> RandomTransform<A, C> andThen(Transform<? super B, ? extends C> next) {
    return ComposedRandomTransform.of(this, RandomTransform.<B, C>from(next));
  }

  /**
   * Returns the random transform that applies all given transforms in a random order: torchvision's
   * RandomOrder. It draws the order first, then each transform draws from the same generator.
   * Thread-safe if the transforms are.
   *
   * @param transforms 1 or more; {@link #from} turns a pure transform into a random transform
   * @throws IllegalArgumentException if no transform is given
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  static <A> RandomTransform<A, A> inRandomOrder(RandomTransform<A, A>... transforms) {
    return new RandomOrder<>(List.of(transforms));
  }

  /** Returns a pure transform as a random transform that draws nothing. */
  @SuppressWarnings("unchecked") // Taking a supertype and returning a subtype is safe.
  static <A, B> RandomTransform<A, B> from(Transform<? super A, ? extends B> transform) {
    return (RandomTransform<A, B>) Objects.requireNonNull(transform, "transform");
  }
}
