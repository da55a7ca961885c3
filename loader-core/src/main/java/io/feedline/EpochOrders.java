package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.List;

/** The orders of whole epochs: this loader's, and those of the other ranks. Thread-safe. */
@FunctionalInterface
interface EpochOrders {

  /** Returns the batches of an epoch. */
  BatchOrder order(long epoch);

  /** Returns whether all ranks have as many batches as this one; false for a rank on its own. */
  default boolean evenSteps() {
    return false;
  }

  /**
   * Returns the batches of an epoch that other processes of this machine load: what a cache that
   * they share will be asked for too. By default none, as where this is the only rank.
   */
  default List<BatchOrder> neighbors(long epoch) {
    return List.of();
  }
}
