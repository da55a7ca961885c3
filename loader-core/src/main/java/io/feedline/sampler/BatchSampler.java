package io.feedline.sampler;

import java.util.Objects;

/**
 * The batches of each epoch, as indices of a dataset: like PyTorch's {@code BatchSampler}, but with
 * random access.
 *
 * <p>Immutable and thread-safe.
 */
@FunctionalInterface
public interface BatchSampler {
  /**
   * Returns the batches of an epoch, which depend only on the batch sampler and the epoch.
   *
   * @param epoch 0 or more
   */
  BatchOrder order(long epoch);

  /**
   * Returns the batch sampler that groups a sampler's positions by {@code batchSize}. It takes no
   * memory beyond the sampler's.
   *
   * @param batchSize 1 or more
   * @param dropLast whether a last batch of fewer samples is left out
   * @throws IllegalArgumentException if the batch size is below 1
   */
  static BatchSampler of(Sampler sampler, int batchSize, boolean dropLast) {
    Objects.requireNonNull(sampler, "sampler");
    record FixedSize(Sampler sampler, int batchSize, boolean dropLast) implements BatchSampler {
      @Override
      public BatchOrder order(long epoch) {
        return new FixedSizeBatches(sampler.order(epoch), batchSize, dropLast);
      }

      @Override
      public String toString() {
        return "BatchSampler(%s, batchSize=%d, dropLast=%b)"
            .formatted(sampler, batchSize, dropLast);
      }
    }
    return new FixedSize(sampler, PaddedLengths.positive("batchSize", batchSize), dropLast);
  }

  /** The batches of one epoch. Immutable and thread-safe. */
  interface BatchOrder {
    /** Returns the number of batches, 0 or more. */
    long batches();

    /**
     * Returns the number of samples of a batch, 1 or more.
     *
     * @param batch from 0 to {@code batches() - 1}
     * @throws IndexOutOfBoundsException if the batch is outside that range
     */
    int batchSize(long batch);

    /**
     * Returns the dataset's index of one sample.
     *
     * @param batch from 0 to {@code batches() - 1}
     * @param row from 0 to {@code batchSize(batch) - 1}
     * @throws IndexOutOfBoundsException if the batch or the row is outside its range
     */
    long indexAt(long batch, int row);

    /**
     * Returns a number that distinguishes the rows with the same index, as {@link
     * Sampler.Order#occurrence} does: no two rows of an epoch have both the same index and the same
     * number.
     *
     * @param batch from 0 to {@code batches() - 1}
     * @param row from 0 to {@code batchSize(batch) - 1}
     * @return by default a different number for each row; an order that repeats no index may return
     *     0
     */
    default long occurrence(long batch, int row) {
      return (batch << Integer.SIZE) + row;
    }
  }
}
