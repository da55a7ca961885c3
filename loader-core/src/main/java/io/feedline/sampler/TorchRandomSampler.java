package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.OptionalLong;

/**
 * PyTorch's {@code RandomSampler} inside its {@code DataLoader}, index for index: for moving an
 * experiment from Python without changing what it sees. Where that does not matter, {@link
 * RandomSampler} needs no memory.
 *
 * <table>
 * <caption>Which factory stands for which Python program</caption>
 * <tr><th>Python</th><th>here</th></tr>
 * <tr><td>{@code DataLoader(d, shuffle=True, generator=g)}, {@code g.manual_seed(s)}</td>
 *     <td>{@code of(size, s)}</td></tr>
 * <tr><td>{@code torch.manual_seed(s)}, {@code DataLoader(d, shuffle=True)}</td>
 *     <td>{@code withGlobalSeed(size, s)}</td></tr>
 * <tr><td>{@code DataLoader(d, sampler=RandomSampler(d, generator=g))}</td>
 *     <td>{@code builder(size).seed(s).baseSeed(false)}</td></tr>
 * <tr><td>{@code RandomSampler(d, replacement=True, num_samples=m)}</td>
 *     <td>{@code builder(size).replacement(true).numSamples(m)}</td></tr>
 * </table>
 *
 * <p>An epoch draws, in this order: the loader's {@code base_seed} (two words); then, as indices
 * are asked for, a {@code randperm(size)} for each {@code size} of them, and at the end of the
 * epoch one more for the rest of {@code num_samples}, even if that rest is empty; with replacement,
 * {@code randint} in pieces of 32. {@link #order} takes for granted that each earlier epoch ran to
 * its end; one that is left early has drawn less, and the epochs behind it are those of {@link
 * #startingAt}.
 *
 * <p>With a global seed, the loader draws {@code base_seed} and the sampler the seed of a generator
 * of its own, two words each, from the global generator; the first one with {@code iter(loader)},
 * the second one with the first batch. Anything else that the Python program draws from its global
 * generator meanwhile (weights, dropout, augmentation without workers) changes the later orders and
 * is not reproduced here. With a generator of the loader's own nothing else interferes.
 *
 * <p>Compared with PyTorch 2.13. PyTorch 1.13 does the same, except that with replacement it takes
 * one word instead of two per index where {@code size} is from 2^28 to 2^32. An empty dataset,
 * which PyTorch refuses to shuffle, gives empty epochs.
 *
 * <p>The order of an epoch takes 4 bytes per index (8 from 2^31 samples on), drawn when the first
 * index is asked for. Immutable and thread-safe.
 */
public final class TorchRandomSampler extends TorchSampler {

  /** The number of indices that PyTorch draws at once with replacement. */
  private static final int CHUNK = 32;

  private final long size;
  private final long numSamples;
  private final boolean global;

  private TorchRandomSampler(Builder builder) {
    super(builder);
    this.size = builder.size;
    this.numSamples = builder.numSamples.orElse(builder.size);
    this.global = builder.global;
  }

  private TorchRandomSampler(TorchRandomSampler other, EpochStart start) {
    super(other, start);
    this.size = other.size;
    this.numSamples = other.numSamples;
    this.global = other.global;
  }

  /**
   * Returns the sampler of {@code DataLoader(dataset, shuffle=True, generator=g)} after {@code
   * g.manual_seed(seed)}.
   *
   * @param size the dataset's, from 0 to 2^31 - 9
   * @throws IllegalArgumentException if the size is out of range
   */
  public static TorchRandomSampler of(long size, long seed) {
    return builder(size).seed(seed).build();
  }

  /**
   * Returns the sampler of {@code DataLoader(dataset, shuffle=True)} after {@code
   * torch.manual_seed(seed)}.
   *
   * @param size the dataset's, from 0 to 2^31 - 9
   * @throws IllegalArgumentException if the size is out of range
   */
  public static TorchRandomSampler withGlobalSeed(long size, long seed) {
    return builder(size).globalSeed(seed).build();
  }

  /**
   * Returns the sampler whose epochs are {@code torch.randperm(size)} from a generator seeded with
   * {@code seed + epoch}: what PyTorch's {@code DistributedSampler} deals to its ranks, to be put
   * into a {@link DistributedSampler}.
   *
   * @param size from 0 to 2^31 - 9, since the order is an array
   * @param seed the {@code seed} of PyTorch's {@code DistributedSampler}
   * @throws IllegalArgumentException if the size is out of range
   */
  public static Sampler permutation(long size, long seed) {
    return TorchPermutationSampler.of(size, seed);
  }

  /**
   * Returns a builder; it needs one of {@link Builder#seed}, {@link Builder#globalSeed} and {@link
   * Builder#generator}.
   *
   * @param size the dataset's
   */
  public static Builder builder(long size) {
    return new Builder(size);
  }

  /** Returns the number of indices that an order chooses from. */
  public long size() {
    return size;
  }

  /** Returns the number of indices in an order. */
  public long numSamples() {
    return numSamples;
  }

  /**
   * Returns this sampler with another start of one epoch, which the epochs behind it follow, each
   * run to its end: for PyTorch's order after an epoch that was left early. Earlier epochs stay as
   * they are.
   *
   * <pre>{@code
   * // Epoch 3 was left after 20 batches of 64.
   * TorchRandomSampler next = sampler.startingAt(4, sampler.drawAfter(3, 20 * 64));
   * }</pre>
   *
   * @param draw how many words the generator has given before the epoch
   * @throws IllegalArgumentException if an argument is negative
   */
  public TorchRandomSampler startingAt(long epoch, long draw) {
    return new TorchRandomSampler(this, new EpochStart(epoch, draw));
  }

  @Override
  long words(long asked) {
    long words = wordsOfBaseSeed();
    if (asked == 0 || size == 0) {
      return words;
    }
    return words + (global ? WORDS_OF_SEED : wordsOfIndices(asked));
  }

  private long wordsOfIndices(long asked) {
    if (replacement()) {
      long drawn = Math.min(numSamples, ceilDiv(Math.min(asked, numSamples), CHUNK) * CHUNK);
      return drawn * TorchRandom.wordsOfRandint(size);
    }
    // At its end, PyTorch draws a permutation for the rest even where there is no rest.
    long permutations = asked > numSamples ? numSamples / size + 1 : ceilDiv(asked, size);
    return permutations * TorchRandom.wordsOfRandperm(size);
  }

  private static long ceilDiv(long a, long b) {
    return a / b + (a % b == 0 ? 0 : 1);
  }

  @Override
  long count() {
    return numSamples;
  }

  @Override
  Order draw(TorchRandom random) {
    if (global) {
      return indices(TorchRandom.ofSeed(random.randomInt64()));
    }
    Order order = indices(random);
    stream.remember(random);
    return order;
  }

  private Order indices(TorchRandom random) {
    int count = (int) numSamples;
    if (!replacement()) {
      return DrawnOrder.of(permutations(random, count), count > size);
    }
    if (size <= Integer.MAX_VALUE) {
      int[] indices = new int[count];
      for (int i = 0; i < count; i++) {
        indices[i] = (int) random.randint(0, size);
      }
      return DrawnOrder.of(indices, true);
    }
    long[] indices = new long[count];
    for (int i = 0; i < count; i++) {
      indices[i] = random.randint(0, size);
    }
    return DrawnOrder.of(count, position -> indices[(int) position], true);
  }

  private int[] permutations(TorchRandom random, int count) {
    int n = (int) size;
    if (count == n) {
      return random.randpermInt32(n);
    }
    int[] indices = new int[count];
    int done = 0;
    while (done < count) {
      int length = Math.min(n, count - done);
      System.arraycopy(random.randpermInt32(n), 0, indices, done, length);
      done += length;
    }
    return indices;
  }

  /** Returns a size for which an array can be had. */
  static int arraySize(String name, long size) {
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%s must be from 0 to %d, was %d".formatted(name, Integer.MAX_VALUE - 8, size));
    }
    return (int) size;
  }

  @Override
  public String toString() {
    return "TorchRandomSampler(size=%d, numSamples=%d, replacement=%s, %s)"
        .formatted(size, numSamples, replacement(), global ? "global generator" : "own generator");
  }

  /** The options of a sampler, named as PyTorch names them. Not thread-safe. */
  public static final class Builder extends Options<Builder> {
    private final long size;
    private OptionalLong numSamples = OptionalLong.empty();
    private boolean global;

    private Builder(long size) {
      super(false);
      this.size = size;
    }

    /** Sets the seed of Python's global generator; the sampler is given none. */
    public Builder globalSeed(long seed) {
      generator(TorchRandom.ofSeed(seed));
      this.global = true;
      return this;
    }

    @Override
    public Builder generator(TorchRandom generator) {
      this.global = false;
      return super.generator(generator);
    }

    /** Sets the number of indices in an epoch. Default: the size. */
    public Builder numSamples(long numSamples) {
      this.numSamples = OptionalLong.of(numSamples);
      return this;
    }

    /**
     * Returns the sampler.
     *
     * @throws IllegalArgumentException if no seed or generator is given, the size is negative, the
     *     number of samples is not from 1 to 2^31 - 9 (0 for an empty dataset), or the size is
     *     above that without replacement
     */
    public TorchRandomSampler build() {
      if (generator == null) {
        throw new IllegalArgumentException("one of seed, globalSeed and generator is needed");
      }
      if (size < 0) {
        throw new IllegalArgumentException("size must be 0 or more, was " + size);
      }
      if (!replacement()) {
        arraySize("size", size);
      }
      long count = numSamples.orElse(size);
      arraySize("numSamples", count);
      if ((count == 0) != (size == 0)) {
        throw new IllegalArgumentException(
            "numSamples must be 1 or more, and 0 only for an empty dataset, was %d of %d"
                .formatted(count, size));
      }
      return new TorchRandomSampler(this);
    }
  }
}
