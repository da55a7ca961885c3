package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Objects;

/** An order cut into batches of one size; a shorter last batch is kept or left out. */
final class FixedSizeBatches implements BatchSampler.BatchOrder {

  private final Order order;
  private final int batchSize;
  private final long batches;

  FixedSizeBatches(Order order, int batchSize, boolean dropLast) {
    this.order = order;
    this.batchSize = batchSize;
    long whole = order.size() / batchSize;
    this.batches = dropLast || whole * batchSize == order.size() ? whole : whole + 1;
  }

  @Override
  public long batches() {
    return batches;
  }

  @Override
  public int batchSize(long batch) {
    Objects.checkIndex(batch, batches);
    return (int) Math.min(batchSize, order.size() - batch * batchSize);
  }

  @Override
  public long indexAt(long batch, int row) {
    Objects.checkIndex(row, batchSize(batch));
    return order.indexAt(batch * batchSize + row);
  }

  @Override
  public long occurrence(long batch, int row) {
    return order.occurrence(batch * batchSize + row);
  }
}
