package io.feedline.transform;

import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies another with some probability: torchvision's RandomApply, whose
 * list of transforms is a composition here. Draws one number for the decision, as torchvision does,
 * and then what the transform draws. Immutable and thread-safe.
 *
 * <pre>{@code
 * RandomApply.of(jitter.andThen(blur), 0.3)
 * }</pre>
 *
 * @param <T> what it takes and gives
 */
public final class RandomApply<T> implements RandomTransform<T, T> {
  private final RandomTransform<T, T> transform;
  private final double probability;

  private RandomApply(RandomTransform<T, T> transform, double probability) {
    this.transform = transform;
    this.probability = probability;
  }

  /**
   * Returns the transform that applies another with probability 0.5, torchvision's default.
   *
   * @param <T> what it takes and gives
   */
  public static <T> RandomApply<T> of(RandomTransform<T, T> transform) {
    return of(transform, 0.5);
  }

  /**
   * Returns the transform that applies another with this probability.
   *
   * @param probability from 0 to 1
   * @param <T> what it takes and gives
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static <T> RandomApply<T> of(RandomTransform<T, T> transform, double probability) {
    Objects.requireNonNull(transform, "transform");
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability must be 0 to 1, was " + probability);
    }
    return new RandomApply<>(transform, probability);
  }

  /** Returns what is applied or not. */
  public RandomTransform<T, T> transform() {
    return transform;
  }

  /** Returns how likely it is applied, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public T apply(T input, RandomGenerator random) throws Exception {
    // The lower 24 bits of a word, as torch.rand makes its floats.
    float drawn = (random.nextInt() & 0xFFFFFF) * 0x1p-24f;
    return drawn < (float) probability
        ? ComposedRandomTransform.apply(transform, input, SampleRandom.unsplit(random))
        : input;
  }

  @Override
  public String toString() {
    return "RandomApply(%s, probability=%s)".formatted(transform, probability);
  }
}
