package io.feedline.sampler;

import java.util.OptionalLong;

/**
 * PyTorch's {@code RandomSampler}, {@code WeightedRandomSampler} or {@code SubsetRandomSampler}
 * inside its {@code DataLoader}, index for index: for moving an experiment from Python.
 *
 * <table>
 * <caption>The sampler for each Python program</caption>
 * <tr><th>Python</th><th>here</th></tr>
 * <tr><td>{@code DataLoader(d, shuffle=True, generator=g)}, {@code g.manual_seed(s)}</td>
 *     <td>{@code of(size, s)}</td></tr>
 * <tr><td>{@code torch.manual_seed(s)}, {@code DataLoader(d, shuffle=True)}</td>
 *     <td>{@code random(size).globalSeed(s)}</td></tr>
 * <tr><td>{@code DataLoader(d, sampler=RandomSampler(d, generator=g))}</td>
 *     <td>{@code random(size).seed(s).baseSeed(false)}</td></tr>
 * <tr><td>{@code RandomSampler(d, replacement=True, num_samples=m)}</td>
 *     <td>{@code random(size).replacement(true).numSamples(m)}</td></tr>
 * <tr><td>{@code WeightedRandomSampler(w, m)}</td>
 *     <td>{@code weighted(w, m)}</td></tr>
 * <tr><td>{@code SubsetRandomSampler(i)}</td>
 *     <td>{@code subset(i)}</td></tr>
 * </table>
 *
 * <p>One generator gives the random numbers of all epochs. An epoch draws the loader's {@code
 * base_seed} (two words of 32 bits), then the indices as they are asked for. {@link #order} assumes
 * that each earlier epoch ran to its end. An epoch that is left early has drawn less; {@link
 * #startingAt} then gives the epochs after it.
 *
 * <p>Anything else that a Python program draws from its global generator meanwhile (weights,
 * dropout, augmentation without workers) changes the later orders and is not reproduced here.
 *
 * <p>Compared with PyTorch 2.13; {@link #random}, {@link #weighted} and {@link #subset} state the
 * known differences. The order of an epoch takes 4 bytes per index (8 from 2^31 samples on), and is
 * drawn when its first index is asked for. Immutable and thread-safe.
 */
public final class TorchSampler implements Sampler {

  /** The number of words of an int64, the type of the seeds that PyTorch draws. */
  static final int WORDS_OF_SEED = 2;

  private final Draw draw;
  private final TorchStream stream;
  private final boolean baseSeed;

  /** The epoch that begins after {@link #startWords} words; 0 unless {@link #startingAt} set it. */
  private final long startEpoch;

  private final long startWords;

  private TorchSampler(
      Draw draw, TorchStream stream, boolean baseSeed, long startEpoch, long startWords) {
    if (startEpoch < 0 || startWords < 0) {
      throw new IllegalArgumentException(
          "epoch and draw must be 0 or more, were epoch %d, draw %d"
              .formatted(startEpoch, startWords));
    }
    this.draw = draw;
    this.stream = stream;
    this.baseSeed = baseSeed;
    this.startEpoch = startEpoch;
    this.startWords = startWords;
  }

  /** The way to draw an epoch's indices, after the base seed. Immutable and thread-safe. */
  interface Draw {

    /** Returns the number of indices in an epoch. */
    long count();

    /** Returns the number of words of an epoch if {@code asked} indices, 1 or more, are read. */
    long words(long asked);

    Order order(TorchRandom random);
  }

  /**
   * Returns the sampler of {@code DataLoader(dataset, shuffle=True, generator=g)} after {@code
   * g.manual_seed(seed)}.
   *
   * @param size the dataset's size, from 0 to 2^31 - 9
   * @throws IllegalArgumentException if the size is out of range
   */
  public static TorchSampler of(long size, long seed) {
    return random(size).seed(seed).build();
  }

  /**
   * Returns a builder of PyTorch's {@code RandomSampler}. An epoch draws a {@code randperm(size)}
   * for each {@code size} indices, and at its end one more for the rest of {@code num_samples},
   * even if that rest is empty; with replacement, an epoch draws {@code randint} in groups of 32.
   *
   * <p>With a global seed, two seeds of two words each are drawn from the global generator: the
   * loader's {@code base_seed} with {@code iter(loader)}, and the seed of the sampler's own
   * generator with the first batch.
   *
   * <p>PyTorch 1.13 does the same, except that with replacement it takes one word instead of two
   * per index where {@code size} is from 2^28 to 2^32. An empty dataset, which PyTorch refuses to
   * shuffle, gives empty epochs.
   *
   * @param size the dataset's size
   */
  public static Builder random(long size) {
    return new Builder(false, OptionalLong.empty(), options -> TorchRandomDraw.of(size, options));
  }

  /**
   * Returns a builder of PyTorch's {@code WeightedRandomSampler}: {@code torch.multinomial} on
   * float64 weights, on the CPU; with replacement by default.
   *
   * <p>Known limits: with Intel's MKL, releases of PyTorch up to 2.6 draw without replacement from
   * another generator, which is not reproduced (1.13 without MKL agrees, except that it draws a
   * single index with replacement by search). Without replacement, the order of indices with
   * subnormal weights is not PyTorch's if their quotients of weight and random number are equal. A
   * weight of zero is never drawn; without replacement, PyTorch draws such indices when all others
   * are used up, which this sampler refuses. {@code log1p} of the C library and of Java may differ
   * in the last bit: with a million weights expect two indices to change places about once in ten
   * thousand epochs without replacement.
   *
   * @param weights one per index, copied; 0 or more, finite, not all 0; they need not add up to 1
   * @param numSamples the indices in an epoch, 1 or more
   */
  public static Builder weighted(double[] weights, int numSamples) {
    double[] copy = weights.clone();
    return new Builder(
        true, OptionalLong.of(numSamples), options -> new TorchWeightedDraw(copy, options));
  }

  /**
   * Returns a builder of PyTorch's {@code SubsetRandomSampler}: each of the given indices once, in
   * the order of a {@code torch.randperm} of their number.
   *
   * @param indices copied; an index that occurs twice is visited twice
   * @throws IllegalArgumentException if an index is negative
   */
  public static Builder subset(long[] indices) {
    long[] copy = SubsetRandomSampler.copyOf(indices);
    return new Builder(false, OptionalLong.empty(), options -> new TorchSubsetDraw(copy, options));
  }

  /**
   * Returns the sampler whose epochs are {@code torch.randperm(size)} from a generator seeded with
   * {@code seed + epoch}: the orders that PyTorch's {@code DistributedSampler} deals to its ranks.
   * Use the result as the base of a {@link DistributedSampler}.
   *
   * @param size from 0 to 2^31 - 9, since the order is an array
   * @param seed the {@code seed} of PyTorch's {@code DistributedSampler}
   * @throws IllegalArgumentException if the size is out of range
   */
  public static Sampler permutation(long size, long seed) {
    return new SeededPermutations(TorchRandomDraw.arraySize("size", size), seed);
  }

  private record SeededPermutations(int size, long seed) implements Sampler {
    @Override
    public Order order(long epoch) {
      return new DrawnOrder(
          size, () -> DrawnOrder.of(TorchRandom.ofSeed(seed + epoch).randpermInt32(size), false));
    }

    @Override
    public String toString() {
      return "TorchSampler.permutation(size=%d, seed=%d)".formatted(size, seed);
    }
  }

  /**
   * Returns the number of 32-bit words drawn before an epoch begins, if each earlier epoch ran to
   * its end.
   *
   * @throws IllegalArgumentException if the epoch is negative
   */
  public long draw(long epoch) {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must be 0 or more, was " + epoch);
    }
    long words = words(Long.MAX_VALUE);
    return epoch < startEpoch
        ? Math.multiplyExact(epoch, words)
        : Math.addExact(startWords, Math.multiplyExact(epoch - startEpoch, words));
  }

  /**
   * Returns the number of 32-bit words drawn before the next epoch begins, if the given epoch is
   * left early. For {@link #startingAt}.
   *
   * @param asked the number of the epoch's indices that were asked for: in PyTorch, requested
   *     batches times batch size. Without worker processes the requested batches are the batches
   *     taken, and one more if the iteration ended by itself; with worker processes, {@code
   *     prefetch_factor * num_workers} more
   * @throws IllegalArgumentException if an argument is negative
   */
  public long drawAfter(long epoch, long asked) {
    if (asked < 0) {
      throw new IllegalArgumentException("asked must be 0 or more, was " + asked);
    }
    return draw(epoch) + words(asked);
  }

  /**
   * Returns a sampler like this in which one epoch begins after another number of words: for
   * PyTorch's order after an epoch that was left early. Later epochs follow, each run to its end.
   * Earlier epochs do not change.
   *
   * <pre>{@code
   * // Epoch 3 was left after 20 batches of 64.
   * TorchSampler next = sampler.startingAt(4, sampler.drawAfter(3, 20 * 64));
   * }</pre>
   *
   * @param words the number of words drawn before the epoch
   * @throws IllegalArgumentException if an argument is negative
   */
  public TorchSampler startingAt(long epoch, long words) {
    return new TorchSampler(draw, stream, baseSeed, epoch, words);
  }

  private long words(long asked) {
    return wordsOfBaseSeed() + (asked == 0 || draw.count() == 0 ? 0 : draw.words(asked));
  }

  private int wordsOfBaseSeed() {
    return baseSeed ? WORDS_OF_SEED : 0;
  }

  @Override
  public Order order(long epoch) {
    long words = draw(epoch);
    return new DrawnOrder(draw.count(), () -> orderAt(words));
  }

  private Order orderAt(long words) {
    TorchRandom random = stream.at(words);
    random.skip(wordsOfBaseSeed());
    Order order = draw.order(random);
    stream.remember(random);
    return order;
  }

  @Override
  public String toString() {
    return "TorchSampler(%s)".formatted(draw);
  }

  /** The options of a sampler, named as PyTorch names them. Not thread-safe. */
  public static final class Builder {
    private final Kind kind;
    private TorchRandom generator;
    private boolean baseSeed = true;
    boolean global;
    boolean replacement;
    OptionalLong numSamples;

    private Builder(boolean replacement, OptionalLong numSamples, Kind kind) {
      this.kind = kind;
      this.replacement = replacement;
      this.numSamples = numSamples;
    }

    /** The kind of a sampler: checks the builder's options, and makes the draw of indices. */
    private interface Kind {
      Draw draw(Builder options);
    }

    /** Sets the seed of the generator that the Python program passes to its sampler. */
    public Builder seed(long seed) {
      return generator(TorchRandom.ofSeed(seed));
    }

    /** Sets the seed of Python's global generator, for a sampler without a generator of its own. */
    public Builder globalSeed(long seed) {
      seed(seed);
      this.global = true;
      return this;
    }

    /**
     * Sets the generator that the Python program passes to its sampler, in the generator's present
     * state. For a program that draws from the generator before the first epoch, for example for a
     * split.
     *
     * @param generator copied
     */
    public Builder generator(TorchRandom generator) {
      this.generator = generator.copy();
      this.global = false;
      return this;
    }

    /**
     * Sets whether PyTorch's loader draws its {@code base_seed} from the sampler's generator at the
     * beginning of each epoch. It does if loader and sampler have the same generator, and if
     * neither of them has a generator. Default true.
     */
    public Builder baseSeed(boolean baseSeed) {
      this.baseSeed = baseSeed;
      return this;
    }

    /** Sets whether each position draws from all indices, independently of other positions. */
    public Builder replacement(boolean replacement) {
      this.replacement = replacement;
      return this;
    }

    /** Sets the number of indices in an epoch. Default: the size of the dataset. */
    public Builder numSamples(long numSamples) {
      this.numSamples = OptionalLong.of(numSamples);
      return this;
    }

    /**
     * Returns the sampler.
     *
     * @throws IllegalArgumentException if no seed or generator is given, or the number of samples
     *     is below 1 (0 for an empty dataset) or above 2^31 - 9. Random: if the size is negative,
     *     or above 2^31 - 9 without replacement. Weighted: if there are more than 2^24 weights, a
     *     weight is negative or not finite, none is above 0, or without replacement fewer weights
     *     than samples are above 0. Subset: if replacement or a number of samples is asked for
     */
    public TorchSampler build() {
      if (generator == null) {
        throw new IllegalArgumentException("one of seed, globalSeed and generator is needed");
      }
      return new TorchSampler(kind.draw(this), new TorchStream(generator), baseSeed, 0, 0);
    }
  }
}
