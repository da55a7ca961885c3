package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;

/**
 * A batch sampler that puts samples of similar length into the same batch, so that little of the
 * batch is padding, for instance with text and audio. Hugging Face calls this {@code
 * group_by_length}; fairseq does it with a bound of tokens per batch.
 *
 * <p>An epoch's samples are shuffled as by {@link RandomSampler}, cut into windows of some batches,
 * sorted by length within each window and cut into batches, which are then shuffled. A wide window
 * means little padding, a narrow window much randomness. Each index occurs once per epoch.
 *
 * <ul>
 *   <li>Without a bound of tokens all batches but the epoch's last have {@code batchSize} samples;
 *       {@code dropLast} leaves out as many samples as that last batch has: samples of any length,
 *       and different ones in each epoch.
 *   <li>With {@link Builder#maxTokens} a batch also ends before it would hold more tokens, padding
 *       included; set {@link Builder#multipleOf} if the collator pads to a multiple. Then the
 *       number of batches differs from epoch to epoch, and {@code dropLast} is not allowed.
 * </ul>
 *
 * <p>To train on several ranks, wrap the sampler into a {@link DistributedBatchSampler}. {@link
 * TokenBudgetBatchSampler} bounds the tokens of batches in another sampler's order.
 *
 * <p>The sampler keeps 4 bytes per sample for the lengths and 4 per sample for each order, and with
 * a bound of tokens 4 per batch. The order of an epoch is sorted when it is first needed, in time
 * O(n log window). Immutable and thread-safe.
 */
public final class LengthBucketBatchSampler implements BatchSampler {

  private final int[] lengths;
  private final int batchSize;
  private final int windowBatches;
  private final long maxTokens;
  private final int multipleOf;
  private final boolean dropLast;
  private final long seed;

  private LengthBucketBatchSampler(Builder builder) {
    this.lengths = builder.lengths;
    this.batchSize = builder.batchSize;
    this.windowBatches = builder.windowBatches;
    this.maxTokens = builder.maxTokens;
    this.multipleOf = builder.multipleOf;
    this.dropLast = builder.dropLast;
    this.seed = builder.seed;
  }

  /**
   * Returns the batch sampler with the default window and without a bound of tokens.
   *
   * @param lengths each sample's length, 0 or more; copied
   * @param batchSize the largest number of samples of a batch, 1 or more
   * @param seed equal seeds give equal batches
   * @throws IllegalArgumentException if a length or the batch size is out of range
   */
  public static LengthBucketBatchSampler of(int[] lengths, int batchSize, long seed) {
    return builder(lengths, batchSize).seed(seed).build();
  }

  /** Returns a builder of a batch sampler; the arguments are those of {@link #of}. */
  public static Builder builder(int[] lengths, int batchSize) {
    return new Builder(lengths.clone(), batchSize);
  }

  @Override
  public BatchOrder order(long epoch) {
    Permutation permutation = Permutation.of(lengths.length, seed, epoch);
    if (maxTokens != Long.MAX_VALUE) {
      BatchOrder batches = cutByTokens(sortedWindows(permutation, lengths.length));
      return new Shuffled(batches, permutation.part(1, batches.batches()));
    }
    int full = lengths.length / batchSize;
    int used = dropLast ? full * batchSize : lengths.length;
    Order sorted =
        new DrawnOrder(used, () -> DrawnOrder.of(sortedWindows(permutation, used), false));
    return new Shuffled(new FixedSizeBatches(sorted, batchSize, false), permutation.part(1, full));
  }

  @Override
  public String toString() {
    return "LengthBucketBatchSampler(size=%d, batchSize=%d, windowBatches=%d, %sdropLast=%b, seed=%d)"
        .formatted(
            lengths.length,
            batchSize,
            windowBatches,
            maxTokens == Long.MAX_VALUE
                ? ""
                : "maxTokens=%d, ".formatted(maxTokens)
                    + (multipleOf == 1 ? "" : "multipleOf=%d, ".formatted(multipleOf)),
            dropLast,
            seed);
  }

  private int[] sortedWindows(Permutation permutation, int used) {
    int[] indices = new int[used];
    for (int i = 0; i < used; i++) {
      indices[i] = (int) permutation.indexAt(i);
    }
    int window = (int) Math.min((long) batchSize * windowBatches, Math.max(1, used));
    long[] keyed = new long[window];
    int[] shuffled = new int[window];
    for (int start = 0; start < used; start += Math.min(window, used - start)) {
      int count = Math.min(window, used - start);
      System.arraycopy(indices, start, shuffled, 0, count);
      for (int i = 0; i < count; i++) {
        // Equal lengths stay shuffled; sorted by index, neighbors would share batches.
        keyed[i] = ((long) lengths[shuffled[i]] << 32) | i;
      }
      Arrays.sort(keyed, 0, count);
      for (int i = 0; i < count; i++) {
        indices[start + i] = shuffled[(int) keyed[i]];
      }
    }
    return indices;
  }

  /** Cuts at each full batch, at the end of each window, and before a batch has too many tokens. */
  private BatchOrder cutByTokens(int[] indices) {
    long window = (long) batchSize * windowBatches;
    CutBatches.Knife knife = new CutBatches.Knife(indices.length / batchSize);
    int start = 0;
    while (start < indices.length) {
      long windowEnd = Math.min(indices.length, (start / window + 1) * window);
      int most = (int) Math.min(batchSize, windowEnd - start);
      int rows = 1;
      // Lengths ascend within a window: the next sample is the longest, to which all are padded.
      while (rows < most && fits(rows + 1L, padded(lengths[indices[start + rows]]))) {
        rows++;
      }
      knife.cutBefore(start);
      start += rows;
    }
    return knife.batches(DrawnOrder.of(indices, false));
  }

  private boolean fits(long samples, long padded) {
    return padded == 0 || samples <= maxTokens / padded;
  }

  private long padded(int length) {
    return PaddedLengths.padded(length, multipleOf);
  }

  /** Batches in the order of a permutation; a short last batch stays in its place. */
  private record Shuffled(BatchOrder unshuffled, Permutation permutation) implements BatchOrder {
    @Override
    public long batches() {
      return unshuffled.batches();
    }

    @Override
    public int batchSize(long batch) {
      return unshuffled.batchSize(source(batch));
    }

    @Override
    public long indexAt(long batch, int row) {
      return unshuffled.indexAt(source(batch), row);
    }

    @Override
    public long occurrence(long batch, int row) {
      return unshuffled.occurrence(source(batch), row);
    }

    private long source(long batch) {
      return batch >= permutation.size() ? batch : permutation.indexAt(batch);
    }
  }

  /** The options of a batch sampler. Not thread-safe. */
  public static final class Builder {
    private final int[] lengths;
    private final int batchSize;
    private int windowBatches = 50;
    private long maxTokens = Long.MAX_VALUE;
    private int multipleOf = 1;
    private boolean dropLast;
    private long seed;

    private Builder(int[] lengths, int batchSize) {
      PaddedLengths.check(lengths, 1, Long.MAX_VALUE);
      this.lengths = lengths;
      this.batchSize = PaddedLengths.positive("batchSize", batchSize);
    }

    /**
     * Sets the number of batches whose samples are sorted together: 1 is as random as no sorting at
     * all. Default 50, as in Hugging Face.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder windowBatches(int windowBatches) {
      this.windowBatches = PaddedLengths.positive("windowBatches", windowBatches);
      return this;
    }

    /**
     * Sets the largest number of tokens of a batch whose samples are padded to the longest: the
     * number of samples times the greatest length, rounded up to a {@link #multipleOf multiple}.
     * Not together with {@link #dropLast}. Default: no bound.
     *
     * @param maxTokens at least the padded length of the longest sample, which {@link #build}
     *     checks
     */
    public Builder maxTokens(long maxTokens) {
      this.maxTokens = maxTokens;
      return this;
    }

    /**
     * Sets the multiple to which the collator pads samples; for {@link #maxTokens}, a length counts
     * as the next multiple. Default 1.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder multipleOf(int multipleOf) {
      this.multipleOf = PaddedLengths.positive("multipleOf", multipleOf);
      return this;
    }

    /** Sets whether an epoch ends with its last full batch. Default false. */
    public Builder dropLast(boolean dropLast) {
      this.dropLast = dropLast;
      return this;
    }

    /** Sets the seed; equal seeds give equal batches. Default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Builds the batch sampler.
     *
     * @throws IllegalArgumentException if a sample alone, with its padding, has more than {@code
     *     maxTokens}, or if {@code dropLast} is set together with {@code maxTokens}
     */
    public LengthBucketBatchSampler build() {
      if (dropLast && maxTokens != Long.MAX_VALUE) {
        throw new IllegalArgumentException(
            "dropLast does not go with maxTokens(%d), under which batches differ in size"
                .formatted(maxTokens));
      }
      PaddedLengths.check(lengths, multipleOf, maxTokens);
      return new LengthBucketBatchSampler(this);
    }
  }
}
