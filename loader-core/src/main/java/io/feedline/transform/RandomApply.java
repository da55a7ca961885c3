package io.feedline.transform;

import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies another transform with some probability: torchvision's
 * RandomApply, whose list of transforms is a composition here. Draws one number for the decision,
 * as torchvision does; then the transform draws. Immutable and thread-safe.
 *
 * <pre>{@code
 * RandomApply.of(jitter.andThen(blur), 0.3)
 * }</pre>
 *
 * @param <T> the type of the input and of the result
 */
public final class RandomApply<T> extends Transforms.Value implements RandomTransform<T, T> {

  private record Options<T>(RandomTransform<T, T> transform, double probability) {
    Options {
      Objects.requireNonNull(transform, "transform");
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException("probability must be 0 to 1, was " + probability);
      }
    }
  }

  private final Options<T> options;

  private RandomApply(Options<T> options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that applies {@code transform} with torchvision's default, 0.5. */
  public static <T> RandomApply<T> of(RandomTransform<T, T> transform) {
    return of(transform, 0.5);
  }

  /**
   * Returns the transform that applies {@code transform} with this probability.
   *
   * @param probability from 0 to 1
   * @throws IllegalArgumentException unless the probability is within 0 to 1
   */
  public static <T> RandomApply<T> of(RandomTransform<T, T> transform, double probability) {
    return new RandomApply<>(new Options<>(transform, probability));
  }

  @Override
  public T apply(T input, RandomGenerator random) throws Exception {
    // The lower 24 bits of a word, as torch.rand makes its floats.
    float drawn = (random.nextInt() & 0xFFFFFF) * 0x1p-24f;
    return drawn < (float) options.probability
        ? ComposedRandomTransform.apply(options.transform, input, SampleRandom.unsplit(random))
        : input;
  }
}
