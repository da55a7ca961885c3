package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Objects;

/**
 * A batch sampler that cuts a sampler's order wherever a batch would hold too many tokens:
 * fairseq's {@code max_tokens}, for any order. Batches need about the same work, and differ in
 * size.
 *
 * <p>The tokens of a batch are its number of samples times its longest length, since shorter
 * samples are padded; {@link Builder#countPadding countPadding(false)} takes the sum of the
 * lengths, for batches without padding. An order in which neighbors are of similar length leaves
 * little padding: {@link LengthBucketBatchSampler} makes such an order itself, and has a bound of
 * tokens, too.
 *
 * <p>The number of batches differs from epoch to epoch with a random order. To train on several
 * ranks, wrap the sampler into a {@link DistributedBatchSampler}, which gives all ranks the same
 * number of steps.
 *
 * <p>The sampler keeps 4 bytes per sample for the lengths, and 4 per batch for an epoch's order,
 * which it iterates over once when the epoch begins. Immutable and thread-safe.
 */
public final class TokenBudgetBatchSampler implements BatchSampler {

  private final Sampler sampler;
  private final int[] lengths;
  private final long maxTokens;
  private final int maxSamples;
  private final int multipleOf;
  private final boolean countPadding;

  private TokenBudgetBatchSampler(Builder builder) {
    this.sampler = builder.sampler;
    this.lengths = builder.lengths;
    this.maxTokens = builder.maxTokens;
    this.maxSamples = builder.maxSamples;
    this.multipleOf = builder.multipleOf;
    this.countPadding = builder.countPadding;
  }

  /**
   * Returns the batch sampler with the default options.
   *
   * @param sampler the order of the samples; each of its indices has a length
   * @param lengths each sample's length by index, 0 or more; copied
   * @param maxTokens the limit of tokens in a batch, padding included; not below the longest sample
   * @throws IllegalArgumentException if a length is negative or above the bound
   */
  public static TokenBudgetBatchSampler of(Sampler sampler, int[] lengths, long maxTokens) {
    return builder(sampler, lengths, maxTokens).build();
  }

  /** Returns a builder of a batch sampler; the arguments are those of {@link #of}. */
  public static Builder builder(Sampler sampler, int[] lengths, long maxTokens) {
    return new Builder(sampler, lengths.clone(), maxTokens);
  }

  @Override
  public BatchOrder order(long epoch) {
    Order order = sampler.order(epoch);
    if (order.size() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the sampler gives %d indices; up to %d can be cut into batches"
              .formatted(order.size(), Integer.MAX_VALUE));
    }
    CutBatches.Knife knife = new CutBatches.Knife(0);
    int samples = 0;
    long longest = 0;
    long sum = 0;
    for (int position = 0; position < order.size(); position++) {
      long padded = PaddedLengths.padded(length(order.indexAt(position)), multipleOf);
      long tokens = countPadding ? Math.max(longest, padded) * (samples + 1L) : sum + padded;
      if (samples == 0 || tokens > maxTokens || samples == maxSamples) {
        knife.cutBefore(position);
        samples = 0;
        longest = 0;
        sum = 0;
      }
      samples++;
      longest = Math.max(longest, padded);
      sum += padded;
    }
    return knife.batches(order);
  }

  private int length(long index) {
    if (index >= lengths.length) {
      throw new IllegalArgumentException(
          "the sampler gives index %d, but only %d lengths were given"
              .formatted(index, lengths.length));
    }
    return lengths[(int) index];
  }

  @Override
  public String toString() {
    return "TokenBudgetBatchSampler(%s, maxTokens=%d%s, multipleOf=%d, countPadding=%b)"
        .formatted(
            sampler,
            maxTokens,
            maxSamples == Integer.MAX_VALUE ? "" : ", maxSamples=" + maxSamples,
            multipleOf,
            countPadding);
  }

  /** The options of a batch sampler. Not thread-safe. */
  public static final class Builder {
    private final Sampler sampler;
    private final int[] lengths;
    private final long maxTokens;
    private int maxSamples = Integer.MAX_VALUE;
    private int multipleOf = 1;
    private boolean countPadding = true;

    private Builder(Sampler sampler, int[] lengths, long maxTokens) {
      this.sampler = Objects.requireNonNull(sampler, "sampler");
      this.lengths = lengths;
      this.maxTokens = maxTokens;
    }

    /**
     * Sets the largest number of samples of a batch. Default: no bound.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder maxSamples(int maxSamples) {
      this.maxSamples = PaddedLengths.positive("maxSamples", maxSamples);
      return this;
    }

    /**
     * Sets the multiple to which the collator pads samples; a length counts as the next multiple.
     * Default 1.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder multipleOf(int multipleOf) {
      this.multipleOf = PaddedLengths.positive("multipleOf", multipleOf);
      return this;
    }

    /** Sets whether padding to the longest sample counts as tokens. Default true. */
    public Builder countPadding(boolean countPadding) {
      this.countPadding = countPadding;
      return this;
    }

    /**
     * Builds the batch sampler.
     *
     * @throws IllegalArgumentException if a length is negative, or a sample alone, with its
     *     padding, has more than {@code maxTokens}
     */
    public TokenBudgetBatchSampler build() {
      PaddedLengths.check(lengths, multipleOf, maxTokens);
      return new TokenBudgetBatchSampler(this);
    }
  }
}
