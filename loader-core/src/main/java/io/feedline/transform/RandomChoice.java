package io.feedline.transform;

import io.feedline.internal.Lists;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies one of several others: torchvision's RandomChoice. Draws one
 * number for the choice, which torchvision takes from Python's generator; then the chosen transform
 * draws. Immutable and thread-safe.
 *
 * @param <A> the type of the input
 * @param <B> the type of the result
 */
public final class RandomChoice<A, B> extends Transforms.Value implements RandomTransform<A, B> {

  private record Options<A, B>(List<RandomTransform<A, B>> transforms, double... weights) {
    Options {
      transforms = Lists.copyOf("transforms", transforms);
      weights = weights.clone();
      if (transforms.isEmpty()) {
        throw new IllegalArgumentException("there must be a transform to choose, was []");
      }
      double sum = 0;
      for (double weight : weights) {
        sum += weight >= 0 ? weight : Double.NaN;
      }
      if (weights.length != transforms.size() || !(sum > 0 && sum < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "weights must be 0 or more, not all 0, and one for each of %d transforms, was %s"
                .formatted(transforms.size(), Arrays.toString(weights)));
      }
    }
  }

  private final List<RandomTransform<A, B>> transforms;
  private final double[] upTo;

  private RandomChoice(Options<A, B> options) {
    super(options);
    this.transforms = options.transforms;
    this.upTo = options.weights.clone();
    Arrays.parallelPrefix(upTo, Double::sum);
  }

  /**
   * Returns the transform that applies one of the given transforms, all with the same probability.
   *
   * @throws IllegalArgumentException if no transform is given
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  public static <A, B> RandomChoice<A, B> of(RandomTransform<A, B>... transforms) {
    double[] equal = new double[transforms.length];
    Arrays.fill(equal, 1);
    return of(Arrays.asList(transforms), equal);
  }

  /**
   * Returns the transform that applies one of the given transforms, with probabilities proportional
   * to weights.
   *
   * @param transforms 1 or more
   * @param weights one weight for each transform, 0 or more, finite, and not all 0; their sum need
   *     not be 1
   * @throws IllegalArgumentException if there are no transforms, or the weights break these rules
   */
  public static <A, B> RandomChoice<A, B> of(
      List<RandomTransform<A, B>> transforms, double... weights) {
    return new RandomChoice<>(new Options<>(transforms, weights));
  }

  @Override
  public B apply(A input, RandomGenerator random) throws Exception {
    double drawn = random.nextDouble() * upTo[upTo.length - 1];
    int chosen = 0;
    while (drawn >= upTo[chosen]) {
      chosen++;
    }
    RandomTransform<A, B> part = transforms.get(chosen);
    return ComposedRandomTransform.apply(part, input, SampleRandom.unsplit(random));
  }
}
