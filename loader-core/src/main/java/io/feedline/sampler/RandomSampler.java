package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A sampler that visits the indices in another random order in each epoch, like PyTorch's {@code
 * RandomSampler}.
 *
 * <ul>
 *   <li>By default each index occurs once, in a pseudo-random order that is computed position by
 *       position: a generalised Feistel network (Black and Rogaway, "Ciphers with arbitrary finite
 *       domains", CT-RSA 2002).
 *   <li>With fewer samples than indices, an epoch has the first indices of that order.
 *   <li>With more samples than indices, an epoch has one permutation after the other, the last cut
 *       short. The numbers of occurrences of two indices differ by at most one.
 *   <li>With replacement, each position draws from all indices, independently of other positions.
 * </ul>
 *
 * <p>An order takes constant memory: the index at a position is computed on request. An empty
 * dataset gives an empty epoch. {@link TorchSampler} gives PyTorch's own orders.
 *
 * <p>Immutable and thread-safe.
 */
public final class RandomSampler implements Sampler {

  private static final int PURPOSE = 1;

  private final long size;
  private final long seed;
  private final boolean replacement;
  private final long numSamples;

  private RandomSampler(Builder builder) {
    this.size = builder.size;
    this.seed = builder.seed;
    this.replacement = builder.replacement;
    this.numSamples = size == 0 ? 0 : builder.numSamples.orElse(size);
  }

  /**
   * Returns the sampler that visits each of {@code size} samples once per epoch.
   *
   * @param size from 0 to 2^62
   * @param seed equal seeds give equal orders
   * @throws IllegalArgumentException if {@code size} is out of range
   */
  public static RandomSampler of(long size, long seed) {
    return builder(size).seed(seed).build();
  }

  /** Returns a builder of a sampler over {@code size} samples, from 0 to 2^62. */
  public static Builder builder(long size) {
    return new Builder(size);
  }

  /** Returns whether each position draws from all indices, independently of other positions. */
  public boolean replacement() {
    return replacement;
  }

  /** Returns the length of an epoch; 0 for an empty dataset. */
  public long numSamples() {
    return numSamples;
  }

  @Override
  public Order order(long epoch) {
    if (replacement) {
      Draws draws = Draws.of(seed, epoch, PURPOSE);
      return DrawnOrder.of(numSamples, position -> draws.below(size, position), true);
    }
    Permutation permutation = Permutation.of(size, seed, epoch);
    return numSamples == size ? permutation : new Passes(permutation, numSamples);
  }

  @Override
  public String toString() {
    return "RandomSampler(size=%d, seed=%d, replacement=%b, numSamples=%d)"
        .formatted(size, seed, replacement, numSamples);
  }

  static long requireSamples(long numSamples) {
    if (numSamples < 1) {
      throw new IllegalArgumentException("numSamples must be 1 or more, was " + numSamples);
    }
    return numSamples;
  }

  /** The permutations of an epoch, one after the other. */
  private record Passes(Permutation first, long size) implements Order {
    @Override
    public long indexAt(long position) {
      long pass = Objects.checkIndex(position, size) / first.size();
      long rest = position - pass * first.size();
      return (pass == 0 ? first : first.part(pass, first.size())).indexAt(rest);
    }

    @Override
    public long occurrence(long position) {
      return position / first.size();
    }
  }

  /** The options of a sampler. Not thread-safe. */
  public static final class Builder {
    private final long size;
    private long seed;
    private boolean replacement;
    private OptionalLong numSamples = OptionalLong.empty();

    private Builder(long size) {
      if (size < 0 || size > 1L << 62) {
        throw new IllegalArgumentException("size must be from 0 to 2^62, was " + size);
      }
      this.size = size;
    }

    /** Sets the seed; equal seeds give equal orders. Default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /** Sets whether each position draws from all indices, independently of other positions. */
    public Builder replacement(boolean replacement) {
      this.replacement = replacement;
      return this;
    }

    /**
     * Sets the length of an epoch. Default: the number of indices.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder numSamples(long numSamples) {
      this.numSamples = OptionalLong.of(requireSamples(numSamples));
      return this;
    }

    /** Builds the sampler. */
    public RandomSampler build() {
      return new RandomSampler(this);
    }
  }
}
