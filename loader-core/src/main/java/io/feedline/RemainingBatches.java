package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.Set;

/**
 * The batches that are left of an epoch of a dataset with random access.
 *
 * @param orders makes the orders of whole epochs
 * @param order the batches from {@code firstBatch} on
 * @param leftOut numbers of later batches that have been delivered
 */
record RemainingBatches<T>(
    Dataset<T> dataset,
    RankOrders orders,
    BatchOrder order,
    long epoch,
    long firstBatch,
    Set<Long> leftOut) {

  /** Makes the order of the next epoch, which may be costly. */
  RemainingBatches<T> nextEpoch() {
    return new RemainingBatches<>(dataset, orders, orders.order(epoch + 1), epoch + 1, 0, Set.of());
  }

  boolean isWhole() {
    return firstBatch == 0 && leftOut.isEmpty();
  }

  RowCursor cursor() {
    return new RowCursor(order, firstBatch, leftOut);
  }
}
