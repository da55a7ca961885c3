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

  /** The number of a random stream that no transform of a sample has. */
  private static final int STREAM = 0xFFFF;

  private final Supplier<BatchOrder> order;
  private final long first;
  private final long stride;
  private volatile @Nullable BatchOrder whole;

  Substitutes(Supplier<BatchOrder> order, long first, long stride) {
    this.order = order;
    this.first = first;
    this.stride = stride;
  }

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
      // Two workers may both make the order: the results are equal.
      known = order.get();
      whole = known;
    }
    return known;
  }
}
