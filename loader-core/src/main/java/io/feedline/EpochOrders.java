package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.List;

/** The orders of whole epochs, of this loader and of the other ranks. Thread-safe. */
@FunctionalInterface
interface EpochOrders {

  /** Returns the batches of an epoch. */
  BatchOrder order(long epoch);

  /** Returns whether all of several ranks have the same number of batches. */
  default boolean evenSteps() {
    return false;
  }

  /**
   * The batches that other processes of this machine load, for a cache that the processes share.
   */
  default List<BatchOrder> neighbors(long epoch) {
    return List.of();
  }
}
