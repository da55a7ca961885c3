package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;

/**
 * PyTorch's {@code WeightedRandomSampler} inside its {@code DataLoader}: {@code torch.multinomial}
 * on float64 weights, on the CPU.
 *
 * <p>What is drawn in an epoch: the loader's {@code base_seed} (two words), then with the first
 * index all of them:
 *
 * <ul>
 *   <li>With replacement, two words per index: a binary search in the running sum of the weights.
 *       Every step is one IEEE operation in a fixed order, so this is bit for bit PyTorch's.
 *   <li>Without replacement, or for a single index, two words per <em>weight</em>: the largest of
 *       {@code weight / q}, where {@code q = -log1p(-u)} is exponential. {@code log1p} comes from
 *       the C library and may differ from Java's in the last bit. Two indices then change places if
 *       their quotients differ by no more than that: with a million weights expect that about once
 *       in ten thousand epochs, with a thousand once in ten billion.
 * </ul>
 *
 * <p>Known limits: with Intel's MKL, releases of PyTorch up to 2.6 draw {@code q} from another
 * generator, which is not reproduced (1.13 without MKL was compared and agrees, except that it
 * takes a single index with replacement by search). The order among indices whose quotients are
 * equal, because their weights are subnormal numbers, is not PyTorch's. A weight of zero is never
 * drawn; without replacement PyTorch draws such when the others are used up, which here is refused.
 *
 * <p>It keeps 8 bytes per weight, and 4 bytes per index of an epoch, drawn when the first index is
 * asked for. Immutable and thread-safe. See {@code ATen/native/Distributions.cpp} and {@code
 * ATen/native/cpu/MultinomialKernel.cpp}.
 */
public final class TorchWeightedSampler extends TorchSampler {

  private static final int WORDS_OF_DOUBLE = 2;

  /** The most weights that {@code torch.multinomial} takes. */
  private static final int MAX_WEIGHTS = 1 << 24;

  private final double[] weights;
  private final int numSamples;

  private TorchWeightedSampler(Builder builder) {
    super(builder);
    this.weights = builder.weights;
    this.numSamples = builder.numSamples;
  }

  private TorchWeightedSampler(TorchWeightedSampler other, EpochStart start) {
    super(other, start);
    this.weights = other.weights;
    this.numSamples = other.numSamples;
  }

  /**
   * Returns the sampler of {@code WeightedRandomSampler(weights, num_samples)}, with replacement,
   * in a loader. Either both are given a generator with this seed, or both are given none and this
   * is the global one's.
   *
   * @param weights one per index, copied; 0 or more, finite, not all 0; they need not add up to 1
   * @param numSamples the indices in an epoch, 1 or more
   * @param seed of the generator in Python
   * @throws IllegalArgumentException as {@link Builder#build}
   */
  public static TorchWeightedSampler of(double[] weights, int numSamples, long seed) {
    return builder(weights, numSamples).seed(seed).build();
  }

  /**
   * Returns a builder; it needs {@link Builder#seed} or {@link Builder#generator}.
   *
   * @param weights copied; they need not add up to 1
   * @param numSamples the indices in an epoch
   */
  public static Builder builder(double[] weights, int numSamples) {
    return new Builder(weights.clone(), numSamples);
  }

  /** Returns the number of indices in an order. */
  public int numSamples() {
    return numSamples;
  }

  /**
   * Returns this sampler with another start of one epoch, which the epochs behind it follow, each
   * run to its end: for PyTorch's order after an epoch that was left early. Earlier epochs stay as
   * they are.
   *
   * <pre>{@code
   * // Epoch 3 was left after 20 batches of 64.
   * TorchWeightedSampler next = sampler.startingAt(4, sampler.drawAfter(3, 20 * 64));
   * }</pre>
   *
   * @param draw how many words the generator has given before the epoch
   * @throws IllegalArgumentException if an argument is negative
   */
  public TorchWeightedSampler startingAt(long epoch, long draw) {
    return new TorchWeightedSampler(this, new EpochStart(epoch, draw));
  }

  @Override
  long words(long asked) {
    long doubles = bySearch() ? numSamples : weights.length;
    return wordsOfBaseSeed() + (asked == 0 ? 0 : doubles * WORDS_OF_DOUBLE);
  }

  /** PyTorch takes a single index by the other way, too. */
  private boolean bySearch() {
    return replacement() && numSamples > 1;
  }

  @Override
  long count() {
    return numSamples;
  }

  @Override
  Order draw(TorchRandom random) {
    int[] indices = bySearch() ? search(random) : largest(random);
    stream.remember(random);
    return DrawnOrder.of(indices, bySearch());
  }

  private int[] search(TorchRandom random) {
    double[] cumulative = cumulative();
    int[] indices = new int[numSamples];
    for (int i = 0; i < numSamples; i++) {
      indices[i] = firstNotBelow(cumulative, random.nextDouble());
    }
    return indices;
  }

  private double[] cumulative() {
    double[] cumulative = new double[weights.length];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i];
      cumulative[i] = sum;
    }
    for (int i = 0; i < weights.length; i++) {
      cumulative[i] /= sum;
    }
    cumulative[weights.length - 1] = 1;
    return cumulative;
  }

  private static int firstNotBelow(double[] ascending, double value) {
    int left = 0;
    int right = ascending.length;
    while (left < right) {
      int middle = (left + right) >>> 1;
      if (ascending[middle] < value) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    return left;
  }

  private int[] largest(TorchRandom random) {
    int n = weights.length;
    double[] scores = new double[n];
    for (int i = 0; i < n; i++) {
      scores[i] = weights[i] / -StrictMath.log1p(-random.nextDouble());
    }
    double[] ascending = scores.clone();
    Arrays.sort(ascending);
    int[] indices = new int[numSamples];
    int[] ties = new int[numSamples];
    for (int i = 0; i < n; i++) {
      int rank = n - firstAbove(ascending, scores[i]);
      if (rank < numSamples && rank + ties[rank] < numSamples) {
        indices[rank + ties[rank]++] = i;
      }
    }
    return indices;
  }

  private static int firstAbove(double[] ascending, double value) {
    int left = 0;
    int right = ascending.length;
    while (left < right) {
      int middle = (left + right) >>> 1;
      if (Double.compare(ascending[middle], value) <= 0) {
        left = middle + 1;
      } else {
        right = middle;
      }
    }
    return left;
  }

  @Override
  public String toString() {
    return "TorchWeightedSampler(weights=%d, numSamples=%d, replacement=%s)"
        .formatted(weights.length, numSamples, replacement());
  }

  /** The options of a sampler, named as PyTorch names them. Not thread-safe. */
  public static final class Builder extends Options<Builder> {
    private final double[] weights;
    private final int numSamples;

    private Builder(double[] weights, int numSamples) {
      super(true);
      this.weights = weights;
      this.numSamples = numSamples;
    }

    /**
     * Returns the sampler.
     *
     * @throws IllegalArgumentException if no seed or generator is given; there are more than 2^24
     *     weights; one is negative or not finite, or none is above zero; there is not 1 sample or
     *     more; or without replacement there are more samples than weights above zero
     */
    public TorchWeightedSampler build() {
      if (generator == null) {
        throw new IllegalArgumentException("one of seed and generator is needed");
      }
      if (weights.length > MAX_WEIGHTS) {
        throw new IllegalArgumentException(
            "torch.multinomial takes up to %d weights, were %d"
                .formatted(MAX_WEIGHTS, weights.length));
      }
      int positive = WeightedRandomSampler.drawable(weights);
      if (numSamples < 1 || (!replacement() && numSamples > positive)) {
        throw new IllegalArgumentException(
            "numSamples must be 1 or more, and without replacement at most the %d weights above 0, "
                    .formatted(positive)
                + "was "
                + numSamples);
      }
      return new TorchWeightedSampler(this);
    }
  }
}
