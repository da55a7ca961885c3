package io.feedline.sampler;

/** A sampler that draws indices by a seed, with replacement or without. Immutable. */
abstract class SeededSampler implements Sampler {

  private final long seed;
  private final boolean replacement;
  private final long numSamples;

  SeededSampler(Options<?> options, long numSamples) {
    this.seed = options.seed;
    this.replacement = options.replacement();
    this.numSamples = numSamples;
  }

  /** Returns the seed of the orders. */
  public final long seed() {
    return seed;
  }

  /** Returns whether an index may be drawn more than once per epoch. */
  public final boolean replacement() {
    return replacement;
  }

  /** Returns the length of an epoch; 0 if there is nothing to choose from. */
  public final long numSamples() {
    return numSamples;
  }

  /**
   * The options that all of them have; not thread-safe.
   *
   * @param <B> the builder itself
   */
  abstract static class Options<B extends Options<B>> extends ReplacementOptions<B> {
    private long seed;

    /** 0 stands for as many as there are indices. */
    private long numSamples;

    Options(boolean replacement) {
      super(replacement);
    }

    /** Sets the seed; equal seeds give equal orders. Default 0. */
    public final B seed(long seed) {
      this.seed = seed;
      return self();
    }

    /**
     * Sets the length of an epoch. Default: as many as there are indices.
     *
     * @throws IllegalArgumentException if below 1
     */
    public final B numSamples(long numSamples) {
      if (numSamples < 1) {
        throw new IllegalArgumentException("numSamples must be 1 or more, was " + numSamples);
      }
      this.numSamples = numSamples;
      return self();
    }

    final long numSamplesOf(long size) {
      return size == 0 || numSamples == 0 ? size : numSamples;
    }
  }
}
