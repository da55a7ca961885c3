package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.Objects;

/** An order cut into batches of various sizes: batch b ends where batch b + 1 starts. */
final class CutBatches implements BatchSampler.BatchOrder {

  private final Order order;
  private final int[] starts;

  private CutBatches(Order order, int[] starts) {
    this.order = order;
    this.starts = starts;
  }

  @Override
  public long batches() {
    return starts.length - 1L;
  }

  @Override
  public int batchSize(long batch) {
    int checked = (int) Objects.checkIndex(batch, batches());
    return starts[checked + 1] - starts[checked];
  }

  @Override
  public long indexAt(long batch, int row) {
    Objects.checkIndex(row, batchSize(batch));
    return order.indexAt(starts[(int) batch] + row);
  }

  @Override
  public long occurrence(long batch, int row) {
    return order.occurrence(starts[(int) batch] + row);
  }

  /** The places of the cuts, added from the front to the back. */
  static final class Knife {
    private int[] starts;
    private int batches;

    Knife(int expected) {
      this.starts = new int[Math.max(16, expected)];
    }

    void cutBefore(int position) {
      // The array also needs a place for the end.
      if (batches + 1 >= starts.length) {
        starts = Arrays.copyOf(starts, starts.length + (starts.length >> 1));
      }
      starts[batches++] = position;
    }

    /** Returns the batches of an order of fewer than 2^31 positions; the first cut must be at 0. */
    CutBatches batches(Order order) {
      int[] all = Arrays.copyOf(starts, batches + 1);
      all[batches] = (int) order.size();
      return new CutBatches(order, all);
    }
  }
}
