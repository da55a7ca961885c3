package io.feedline;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.Set;

/** A place in an epoch's order that moves from row to row. Not thread-safe. */
final class RowCursor {

  /** The number of batches above which an order counts as endless. */
  private static final long MOST_BATCHES = 1L << 32;

  private final BatchOrder order;
  private final long firstBatch;
  private final Set<Long> leftOut;
  private final long end;
  private long batch;
  private int row;

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

  long batch() {
    return batch;
  }

  int row() {
    return row;
  }

  long end() {
    return end;
  }

  boolean atEnd() {
    return batch >= end;
  }

  boolean isBeyond(long otherBatch, int otherRow) {
    return batch > otherBatch || (batch == otherBatch && row > otherRow) || atEnd();
  }

  long index() {
    return order.indexAt(batch - firstBatch, row);
  }

  void next() {
    if (++row >= size(batch)) {
      row = 0;
      batch++;
      leaveOut();
    }
  }

  /** Returns the number of rows of a batch; 1 if the order throws: the one row that then fails. */
  private int size(long number) {
    try {
      return Math.max(1, order.batchSize(number - firstBatch));
    } catch (RuntimeException | Error failure) {
      return 1;
    }
  }

  boolean isEndless() {
    return end - firstBatch > MOST_BATCHES;
  }

  /** Returns the number of rows in all batches, or {@code MOST_BATCHES} if the order is endless. */
  long samples() {
    return isEndless() ? MOST_BATCHES : samples(Long.MAX_VALUE);
  }

  /** Returns the number of rows in all batches; stops counting when {@code most} is reached. */
  long samples(long most) {
    long samples = 0;
    for (long each = firstBatch; each < end && samples < most; each++) {
      samples += leftOut.contains(each) ? 0 : size(each);
    }
    return samples;
  }
}
