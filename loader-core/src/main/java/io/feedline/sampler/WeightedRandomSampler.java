package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A sampler that draws indices with probabilities proportional to weights, which need not sum to 1,
 * like PyTorch's {@code WeightedRandomSampler}; for instance to see rare classes as often as
 * frequent ones ({@link #balanced(int[], long)}).
 *
 * <pre>{@code
 * DataLoader.builder(images)
 *     .sampler(WeightedRandomSampler.balanced(images.labels(), 1))
 * }</pre>
 *
 * <ul>
 *   <li><b>With replacement</b> (default) each position draws from all indices, independently of
 *       other positions. The sampler keeps 8 bytes per weight (an alias table, instead of the
 *       weights), and an order keeps nothing; a position takes constant time.
 *   <li><b>Without replacement</b> no index occurs twice; at each position the probability of an
 *       index is proportional to its weight among the remaining indices (Efraimidis and Spirakis:
 *       "Weighted random sampling with a reservoir", IPL 97, 2006: each index gets the key {@code
 *       -ln U / weight}, the smallest keys win). The sampler keeps the weights, and an order 4
 *       bytes per draw. The first call of an order sorts it, which takes 8 bytes per weight for
 *       that time.
 * </ul>
 *
 * <p>An index of weight 0 is never drawn. {@link TorchSampler} draws what PyTorch draws, index for
 * index, from at most 2^24 weights; this sampler takes any number of weights that an array holds.
 *
 * <p>Immutable and thread-safe.
 */
public final class WeightedRandomSampler implements Sampler {

  private static final int PURPOSE = 2;

  /** The greatest weight's exponent after scaling; a scaled weight is at least LIGHTEST. */
  private static final int HEAVIEST = 900;

  private static final double LIGHTEST = 0x1p-1000;

  private final int size;
  private final long seed;
  private final boolean replacement;
  private final long numSamples;

  /** The table for drawing with replacement; null without replacement. */
  private final AliasTable table;

  /** The weights for drawing without replacement; null with replacement. */
  private final double[] weights;

  private WeightedRandomSampler(Builder builder, long numSamples) {
    this.size = builder.weights.length;
    this.seed = builder.seed;
    this.replacement = builder.replacement;
    this.numSamples = numSamples;
    this.table = replacement ? new AliasTable(builder.weights) : null;
    this.weights = replacement ? null : builder.weights;
  }

  /**
   * Returns the sampler that draws with replacement.
   *
   * @param weights one per index of the dataset, copied
   * @param numSamples the length of an epoch, 1 or more
   * @param seed equal seeds give equal orders
   * @throws IllegalArgumentException if a weight is negative, infinite or NaN, if none is above 0,
   *     or if {@code numSamples} is below 1
   */
  public static WeightedRandomSampler of(double[] weights, long numSamples, long seed) {
    return builder(weights).numSamples(numSamples).seed(seed).build();
  }

  /**
   * Returns the sampler that draws all classes equally often, with replacement. An epoch has as
   * many samples as there are labels: samples of rare classes several times, and many samples of
   * frequent classes not at all. Random transforms draw anew each time a sample occurs. Each
   * sample's weight is 1 divided by the size of its class.
   *
   * @param labels the class of each index of the dataset, any numbers
   * @param seed equal seeds give equal orders
   * @throws IllegalArgumentException if there is no label
   */
  public static WeightedRandomSampler balanced(int[] labels, long seed) {
    return balanced(labels, labels.length, seed);
  }

  /**
   * Returns the sampler of {@link #balanced(int[], long)} for epochs of another length.
   *
   * @param numSamples the length of an epoch, 1 or more
   * @throws IllegalArgumentException if there is no label, or {@code numSamples} is below 1
   */
  public static WeightedRandomSampler balanced(int[] labels, long numSamples, long seed) {
    return balanced(Arrays.stream(labels).asLongStream().toArray(), numSamples, seed);
  }

  /** Returns the sampler of {@link #balanced(int[], long)} for labels of 64 bits. */
  public static WeightedRandomSampler balanced(long[] labels, long seed) {
    return balanced(labels, labels.length, seed);
  }

  /** Returns the sampler of {@link #balanced(int[], long, long)} for labels of 64 bits. */
  public static WeightedRandomSampler balanced(long[] labels, long numSamples, long seed) {
    if (labels.length == 0) {
      throw new IllegalArgumentException("labels must not be empty");
    }
    Map<Long, Integer> counts = new HashMap<>();
    for (long label : labels) {
      counts.merge(label, 1, Integer::sum);
    }
    double[] weights = new double[labels.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 1.0 / counts.get(labels[i]);
    }
    return new Builder(weights).numSamples(numSamples).seed(seed).build();
  }

  /**
   * Returns a builder of a sampler with these weights.
   *
   * @param weights one per index of the dataset, copied
   */
  public static Builder builder(double[] weights) {
    return new Builder(weights.clone());
  }

  /** Returns a builder of a sampler with these weights, as {@link #builder(double[])} does. */
  public static Builder builder(float[] weights) {
    double[] copy = new double[weights.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = weights[i];
    }
    return new Builder(copy);
  }

  /**
   * Returns the number of weights above 0.
   *
   * @throws IllegalArgumentException if no weight is above 0, or a weight is negative or not finite
   */
  static int drawable(double[] weights) {
    int drawable = 0;
    for (int i = 0; i < weights.length; i++) {
      if (!(weights[i] >= 0 && Double.isFinite(weights[i]))) {
        throw new IllegalArgumentException(
            "weights must be finite and 0 or more, was %s at position %d".formatted(weights[i], i));
      }
      drawable += weights[i] > 0 ? 1 : 0;
    }
    if (drawable == 0) {
      throw new IllegalArgumentException(
          "none of the %d weights is above 0: there is nothing to draw".formatted(weights.length));
    }
    return drawable;
  }

  /** Returns whether each position draws from all indices, independently of other positions. */
  public boolean replacement() {
    return replacement;
  }

  /** Returns the length of an epoch. */
  public long numSamples() {
    return numSamples;
  }

  @Override
  public Order order(long epoch) {
    Draws draws = Draws.of(seed, epoch, PURPOSE);
    return replacement
        ? DrawnOrder.of(
            numSamples,
            at -> table.at((int) draws.below(table.size(), 2 * at), draws.unit(2 * at + 1)),
            true)
        : new DrawnOrder(numSamples, () -> DrawnOrder.of(smallestKeys(draws), false));
  }

  @Override
  public String toString() {
    return "WeightedRandomSampler(weights=%d, seed=%d, replacement=%b, numSamples=%d)"
        .formatted(size, seed, replacement, numSamples);
  }

  /**
   * Returns the indices of the smallest keys. A key is a positive double, so the bits of keys sort
   * as the keys do. The index replaces the key's lowest bits; of the key's fraction, 32 bits are
   * left with a million weights, and 21 bits with the largest number of weights.
   */
  private int[] smallestKeys(Draws draws) {
    int indexBits = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    long indexMask = (1L << indexBits) - 1;
    // Scaled by a power of two, the weights keep their order, and no key is 0 or infinite.
    int scale = HEAVIEST - Math.getExponent(Arrays.stream(weights).max().orElse(1));
    long[] keyed = new long[size];
    for (int i = 0; i < size; i++) {
      long key = Long.MAX_VALUE;
      if (weights[i] > 0) {
        // Math.log may differ from machine to machine in the last bit, and ranks must agree.
        double exponential = -StrictMath.log(draws.unit(i) + 0x1p-54);
        double weight = Math.max(LIGHTEST, Math.scalb(weights[i], scale));
        key = Double.doubleToRawLongBits(exponential / weight);
      }
      keyed[i] = (key & ~indexMask) | i;
    }
    Arrays.sort(keyed);
    int[] indices = new int[(int) numSamples];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = (int) (keyed[i] & indexMask);
    }
    return indices;
  }

  /** The options of a sampler. Not thread-safe. */
  public static final class Builder {
    private final double[] weights;
    private long seed;
    private boolean replacement = true;
    private OptionalLong numSamples = OptionalLong.empty();

    private Builder(double[] weights) {
      this.weights = weights;
    }

    /** Sets the seed; equal seeds give equal orders. Default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /** Sets whether positions draw independently from all indices. Default true. */
    public Builder replacement(boolean replacement) {
      this.replacement = replacement;
      return this;
    }

    /**
     * Sets the length of an epoch. Default: the number of weights.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder numSamples(long numSamples) {
      this.numSamples = OptionalLong.of(RandomSampler.requireSamples(numSamples));
      return this;
    }

    /**
     * Builds the sampler.
     *
     * @throws IllegalArgumentException if a weight is negative, infinite or NaN, if no weight is
     *     above 0, or if, without replacement, fewer weights are above 0 than samples are drawn
     */
    public WeightedRandomSampler build() {
      int drawable = drawable(weights);
      long samples = numSamples.orElse(weights.length);
      if (!replacement && samples > drawable) {
        throw new IllegalArgumentException(
            "numSamples is %d, but only %d of the %d weights are above 0, and without replacement none is drawn twice"
                .formatted(samples, drawable, weights.length));
      }
      return new WeightedRandomSampler(this, samples);
    }
  }
}
