package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;

/**
 * A sampler that draws from one generator through all epochs, as PyTorch's samplers do. Immutable
 * and thread-safe.
 */
abstract class TorchSampler implements Sampler {

  /** The words of an int64, as which PyTorch draws its seeds. */
  static final int WORDS_OF_SEED = 2;

  /** The generator, at any of its draws. */
  final TorchStream stream;

  private final boolean replacement;
  private final boolean baseSeed;
  private final EpochStart start;

  TorchSampler(Options<?> options) {
    this.replacement = options.replacement();
    this.baseSeed = options.baseSeed;
    this.stream = new TorchStream(options.generator);
    this.start = EpochStart.FIRST;
  }

  TorchSampler(TorchSampler other, EpochStart start) {
    this.replacement = other.replacement;
    this.baseSeed = other.baseSeed;
    this.stream = other.stream;
    this.start = start;
  }

  /** Returns whether an index may be drawn more than once. */
  public final boolean replacement() {
    return replacement;
  }

  /**
   * Returns the draw with which an epoch begins: how many 32-bit words the generator has given
   * before, if each earlier epoch ran to its end.
   *
   * @throws IllegalArgumentException if the epoch is negative
   */
  public final long draw(long epoch) {
    return start.drawOf(epoch, words(Long.MAX_VALUE));
  }

  /**
   * Returns the draw with which the next epoch begins where this one is left early: the argument of
   * {@code startingAt}.
   *
   * @param asked how many of the epoch's indices were asked for: in PyTorch, batches asked for
   *     times batch size. Without worker processes the batches asked for are those taken, and one
   *     more when the iteration ended by itself; with them, {@code prefetch_factor * num_workers}
   *     more
   * @throws IllegalArgumentException if an argument is negative
   */
  public final long drawAfter(long epoch, long asked) {
    if (asked < 0) {
      throw new IllegalArgumentException("asked must be 0 or more, was " + asked);
    }
    return draw(epoch) + words(asked);
  }

  /** Returns how many words an epoch takes of which so many indices are asked for. */
  abstract long words(long asked);

  final int wordsOfBaseSeed() {
    return baseSeed ? WORDS_OF_SEED : 0;
  }

  /** Returns the number of indices in an order. */
  abstract long count();

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the epoch is negative
   */
  @Override
  public final Order order(long epoch) {
    long draw = draw(epoch);
    return new DrawnOrder(count(), () -> orderAt(draw));
  }

  private Order orderAt(long draw) {
    TorchRandom random = stream.at(draw);
    random.skip(wordsOfBaseSeed());
    return draw(random);
  }

  /** Draws an order, behind the base seed. */
  abstract Order draw(TorchRandom random);

  /**
   * The options that both have; not thread-safe.
   *
   * @param <B> the builder itself
   */
  abstract static class Options<B extends Options<B>> extends ReplacementOptions<B> {

    /** Null where none was given. */
    TorchRandom generator;

    private boolean baseSeed = true;

    Options(boolean replacement) {
      super(replacement);
    }

    /** Sets the seed of the generator that the sampler is given in Python. */
    public final B seed(long seed) {
      return generator(TorchRandom.ofSeed(seed));
    }

    /**
     * Sets a generator that the sampler is given in Python, in its present state: for a program
     * that draws from it before the first epoch, say for a split.
     *
     * @param generator copied
     */
    public B generator(TorchRandom generator) {
      this.generator = generator.copy();
      return self();
    }

    /**
     * Sets whether the loader draws its {@code base_seed} from the same generator, at the beginning
     * of each epoch: true if loader and sampler were both given it or both were given none. Default
     * true.
     */
    public final B baseSeed(boolean baseSeed) {
      this.baseSeed = baseSeed;
      return self();
    }
  }
}
