package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.TorchSampler.Draw;
import java.util.Arrays;

/**
 * The draw of the indices of PyTorch's {@code WeightedRandomSampler}: {@code torch.multinomial} on
 * float64 weights. All indices are drawn when the first is asked for:
 *
 * <ul>
 *   <li>With replacement, two words are drawn per index: a binary search in the running sum of the
 *       weights. Every step is one IEEE operation in a fixed order, so this is bit for bit
 *       PyTorch's.
 *   <li>Without replacement, or for a single index, two words are drawn per <em>weight</em>: the
 *       largest of {@code weight / q}, where {@code q = -log1p(-u)} is exponential.
 * </ul>
 *
 * <p>See {@code ATen/native/Distributions.cpp} and {@code ATen/native/cpu/MultinomialKernel.cpp}.
 */
final class TorchWeightedDraw implements Draw {

  private static final int WORDS_OF_DOUBLE = 2;

  /** The largest number of weights that {@code torch.multinomial} takes. */
  private static final int MAX_WEIGHTS = 1 << 24;

  private final double[] weights;
  private final int numSamples;
  private final boolean replacement;

  TorchWeightedDraw(double[] weights, TorchSampler.Builder options) {
    if (weights.length > MAX_WEIGHTS) {
      throw new IllegalArgumentException(
          "torch.multinomial takes up to %d weights, were %d"
              .formatted(MAX_WEIGHTS, weights.length));
    }
    int positive = WeightedRandomSampler.drawable(weights);
    long samples = options.numSamples.orElseThrow();
    if (samples < 1 || (!options.replacement && samples > positive)) {
      throw new IllegalArgumentException(
          "numSamples must be 1 or more, and without replacement at most the %d weights above 0, was %d"
              .formatted(positive, samples));
    }
    this.weights = weights;
    this.numSamples = TorchRandomDraw.arraySize("numSamples", samples);
    this.replacement = options.replacement;
  }

  @Override
  public long count() {
    return numSamples;
  }

  @Override
  public long words(long asked) {
    return (long) (bySearch() ? numSamples : weights.length) * WORDS_OF_DOUBLE;
  }

  /** Returns whether indices are searched; PyTorch draws a single index by the largest quotient. */
  private boolean bySearch() {
    return replacement && numSamples > 1;
  }

  @Override
  public Order order(TorchRandom random) {
    return DrawnOrder.of(bySearch() ? search(random) : largest(random), bySearch());
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
    return "weights=%d, numSamples=%d, replacement=%s"
        .formatted(weights.length, numSamples, replacement);
  }
}
