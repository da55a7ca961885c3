package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.Set;

/** A place in an epoch's order that goes from row to row. Not thread-safe. */
final class RowCursor {

  /** Batches that a program gets through in an epoch, and many more. */
  private static final long MOST_BATCHES = 1L << 32;

  private final BatchOrder order;
  private final long firstBatch;
  private final Set<Long> leftOut;
  private final long end;
  private long batch;
  private int row;

  /**
   * A cursor at the first row.
   *
   * @param order the batches that are left of the epoch
   * @param firstBatch the number of the first batch
   * @param leftOut numbers of batches that are left out
   */
  RowCursor(BatchOrder order, long firstBatch, Set<Long> leftOut) {
    this.order = order;
    this.firstBatch = firstBatch;
    this.leftOut = leftOut;
    this.end = firstBatch + order.batches();
    this.batch = firstBatch;
    leaveOut();
  }

  private void leaveOut() {
    while (leftOut.contains(batch)) {
      batch++;
    }
  }

  /** Returns the number of the batch that it stands in. */
  long batch() {
    return batch;
  }

  /** Returns the row that it stands at. */
  int row() {
    return row;
  }

  /** Returns the number behind the last batch's. */
  long end() {
    return end;
  }

  boolean atEnd() {
    return batch >= end;
  }

  /** Returns whether it has passed a row. */
  boolean isBeyond(long otherBatch, int otherRow) {
    return batch > otherBatch || (batch == otherBatch && row > otherRow) || atEnd();
  }

  /** Returns the dataset's index of the row; not at the end. */
  long index() {
    return order.indexAt(batch - firstBatch, row);
  }

  /** Moves to the next row; not at the end. */
  void next() {
    if (++row >= size(batch)) {
      row = 0;
      batch++;
      leaveOut();
    }
  }

  /**
   * Returns the size of a batch; 1 if the order fails to give the size, since that batch has one
   * failing row.
   */
  private int size(long number) {
    try {
      return Math.max(1, order.batchSize(number - firstBatch));
    } catch (RuntimeException | Error failure) {
      return 1;
    }
  }

  /** Tests whether the order has too many batches to iterate over all. */
  boolean isEndless() {
    return end - firstBatch > MOST_BATCHES;
  }

  /**
   * Returns the number of rows, by the sizes of all batches; {@code MOST_BATCHES} if the order is
   * endless.
   */
  long samples() {
    return isEndless() ? MOST_BATCHES : samples(Long.MAX_VALUE);
  }

  /** Returns how many rows there are from the first on, or {@code most} or more. */
  long samples(long most) {
    long samples = 0;
    for (long each = firstBatch; each < end && samples < most; each++) {
      samples += leftOut.contains(each) ? 0 : size(each);
    }
    return samples;
  }
}
