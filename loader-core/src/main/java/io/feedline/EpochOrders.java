package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.List;

/** The orders of whole epochs, of this loader and of the other ranks. Thread-safe. */
@FunctionalInterface
interface EpochOrders {

  /** Returns the batches of an epoch. */
  BatchOrder order(long epoch);

  /** Returns whether all ranks have the same number of batches; false if there is only one rank. */
  default boolean evenSteps() {
    return false;
  }

  /**
   * Returns the batches of an epoch that other processes of this machine load, for a cache that the
   * processes share. By default empty, as for a single rank.
   */
  default List<BatchOrder> neighbors(long epoch) {
    return List.of();
  }
}
