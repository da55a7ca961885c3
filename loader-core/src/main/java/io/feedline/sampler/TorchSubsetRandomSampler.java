package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;

/**
 * PyTorch's {@code SubsetRandomSampler} inside its {@code DataLoader}, index for index: each of the
 * given indices once, in the order of a {@code torch.randperm} of their number. Where the order
 * does not matter, {@link SubsetRandomSampler} draws nothing.
 *
 * <p>What is drawn in an epoch: the loader's {@code base_seed} (two words), then with the first
 * index the permutation. Without a generator PyTorch draws both from the global one, so anything
 * else that the Python program draws from that meanwhile changes the later orders.
 *
 * <p>It keeps 8 bytes per index, and 4 bytes per index of an epoch, drawn when the first index is
 * asked for. Immutable and thread-safe.
 */
public final class TorchSubsetRandomSampler extends TorchSampler {

  private final long[] indices;
  private final boolean repeats;

  private TorchSubsetRandomSampler(Builder builder) {
    super(builder);
    this.indices = builder.indices;
    this.repeats = SubsetRandomSampler.repeats(indices);
  }

  private TorchSubsetRandomSampler(TorchSubsetRandomSampler other, EpochStart start) {
    super(other, start);
    this.indices = other.indices;
    this.repeats = other.repeats;
  }

  /**
   * Returns the sampler of {@code SubsetRandomSampler(indices)} in a loader. Either both are given
   * a generator with this seed, or both are given none and this is the global one's.
   *
   * @param indices copied; an index that occurs twice is visited twice
   * @param seed of the generator in Python
   * @throws IllegalArgumentException if an index is negative
   */
  public static TorchSubsetRandomSampler of(long[] indices, long seed) {
    return builder(indices).seed(seed).build();
  }

  /**
   * Returns a builder; it needs {@link Builder#seed} or {@link Builder#generator}.
   *
   * @param indices copied; an index that occurs twice is visited twice
   * @throws IllegalArgumentException if an index is negative
   */
  public static Builder builder(long[] indices) {
    return new Builder(SubsetRandomSampler.copyOf(indices));
  }

  /**
   * Returns this sampler with another start of one epoch, which the epochs behind it follow, each
   * run to its end: see {@link TorchRandomSampler#startingAt}.
   *
   * @param draw how many words the generator has given before the epoch
   * @throws IllegalArgumentException if an argument is negative
   */
  public TorchSubsetRandomSampler startingAt(long epoch, long draw) {
    return new TorchSubsetRandomSampler(this, new EpochStart(epoch, draw));
  }

  @Override
  long words(long asked) {
    return wordsOfBaseSeed() + (asked == 0 ? 0 : TorchRandom.wordsOfRandperm(indices.length));
  }

  @Override
  long count() {
    return indices.length;
  }

  @Override
  Order draw(TorchRandom random) {
    int[] places = random.randpermInt32(indices.length);
    stream.remember(random);
    return DrawnOrder.of(places.length, position -> indices[places[(int) position]], repeats);
  }

  @Override
  public String toString() {
    return "TorchSubsetRandomSampler(size=%d)".formatted(indices.length);
  }

  /** The options of a sampler, named as PyTorch names them. Not thread-safe. */
  public static final class Builder extends Options<Builder> {
    private final long[] indices;

    private Builder(long[] indices) {
      super(false);
      this.indices = indices;
    }

    /**
     * Returns the sampler.
     *
     * @throws IllegalArgumentException if no seed or generator is given, or replacement is asked
     *     for
     */
    public TorchSubsetRandomSampler build() {
      if (generator == null) {
        throw new IllegalArgumentException("one of seed and generator is needed");
      }
      if (replacement()) {
        throw new IllegalArgumentException(
            "a subset is visited without replacement, was replacement(true)");
      }
      return new TorchSubsetRandomSampler(this);
    }
  }
}
