package io.feedline.transform;

import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A function from one sample, or part of a sample, to another, that draws from a generator it is
 * given.
 *
 * <pre>{@code
 * (image, generator) -> generator.nextBoolean() ? image.rotate90(1) : image.rotate90(3)
 * }</pre>
 *
 * <p>Inside a loader that generator is a {@link SampleRandom}: a function of (seed, epoch, index,
 * occurrence of the index, position of the transform among the sample's random transforms), so the
 * result does not depend on which thread runs it, how many workers there are, or what was loaded
 * before. An implementation draws from nothing else and keeps no state; it is called by many
 * workers at once.
 *
 * @param <A> what it takes
 * @param <B> what it gives
 */
@FunctionalInterface
public interface RandomTransform<A, B> {
  /**
   * Transforms one value.
   *
   * @param input the value
   * @param random the only source of randomness, used by this call alone
   * @return the transformed value
   * @throws Exception any failure; a loader delivers it in a {@code LoaderException} at the turn of
   *     the batch that the sample belongs to
   */
  B apply(A input, RandomGenerator random) throws Exception;

  /**
   * Returns the random transform that applies this one, then {@code next}. Given a {@link
   * SampleRandom}, each member of a composition draws from a stream of its own, so that a change in
   * one leaves the others' draws alone; given any other generator, they draw from it one after the
   * other.
   *
   * @param <C> what {@code next} gives
   */
  default <C> RandomTransform<A, C> andThen(RandomTransform<? super B, ? extends C> next) {
    return ComposedRandomTransform.of(this, next);
  }

  /**
   * Returns the random transform that applies this one, then the pure transform {@code next}.
   *
   * @param <C> what {@code next} gives
   */
  default <C> RandomTransform<A, C> andThen(Transform<? super B, ? extends C> next) {
    return ComposedRandomTransform.of(this, RandomTransform.<B, C>from(next));
  }

  /**
   * Returns the random transform that applies all of these, in an order that it draws:
   * torchvision's RandomOrder. It draws the order first, then each transform draws from the same
   * generator. Thread-safe if they are.
   *
   * @param transforms 1 or more; {@link #from} makes a pure one random
   * @param <A> what all take and give
   * @throws IllegalArgumentException if no transform is given
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  static <A> RandomTransform<A, A> inRandomOrder(RandomTransform<A, A>... transforms) {
    return new RandomOrder<>(List.of(transforms));
  }

  /**
   * Returns a pure transform seen as a random one that draws nothing.
   *
   * @param <A> what it takes
   * @param <B> what it gives
   */
  @SuppressWarnings("unchecked") // What takes more and gives less takes this and gives that.
  static <A, B> RandomTransform<A, B> from(Transform<? super A, ? extends B> transform) {
    return (RandomTransform<A, B>) Objects.requireNonNull(transform, "transform");
  }
}
