package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.transform.SampleRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The samples that may replace failing samples: this rank's part of the epoch's order. The choice
 * is a function of seed, epoch and position, so a resumed epoch has the same substitutes.
 * Thread-safe.
 */
final class Substitutes {

  /** The stream that they are drawn from; no transform of a sample has that number. */
  private static final int STREAM = 0xFFFF;

  private final Supplier<BatchOrder> order;
  private final long first;
  private final long stride;
  private volatile @Nullable BatchOrder whole;

  /**
   * Substitutes for the rest of an epoch.
   *
   * @param order makes the whole order that they come from, when the first is needed
   * @param first the place of the first sample that is left of the epoch
   * @param stride the number of positions from one batch to the next
   */
  Substitutes(Supplier<BatchOrder> order, long first, long stride) {
    this.order = order;
    this.first = first;
    this.stride = stride;
  }

  /**
   * Returns the index of a substitute.
   *
   * @param batch of the failing sample, counted from the first remaining batch
   * @param attempt how many substitutes have failed at that position
   */
  long index(long seed, long epoch, long batch, int row, int attempt) {
    BatchOrder all = whole();
    long place = first + batch * stride + row;
    SampleRandom random = new SampleRandom(seed, epoch, place, STREAM).substream(attempt);
    long chosen = random.nextLong(all.batches());
    return all.indexAt(chosen, random.nextInt(all.batchSize(chosen)));
  }

  private BatchOrder whole() {
    BatchOrder known = whole;
    if (known == null) {
      // Made twice by two workers, perhaps: both are alike.
      known = order.get();
      whole = known;
    }
    return known;
  }
}
