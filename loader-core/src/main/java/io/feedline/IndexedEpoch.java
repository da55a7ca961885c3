package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.sampler.BatchSampler;
import io.feedline.stats.internal.WorkerClock;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An epoch of a dataset with random access: a claim is an increment, the rest is arithmetic. */
final class IndexedEpoch<T> implements EpochSource<T> {

  private final Dataset<T> dataset;

  /** Requested once at the start, so that its failure does not count as the failure of a sample. */
  private final String name;

  private final EpochOrders orders;
  private final BatchSampler.BatchOrder order;
  private final Substitutes substitutes;
  private final long epoch;
  private final long firstBatch;
  private final Set<Long> leftOut;
  private final long end;
  private long next;

  private int nextSize;

  private @Nullable Throwable nextFailure;

  private ReadAheadWindow<T>.Walk walk;

  /**
   * Creates the rest of an epoch.
   *
   * @param orders make the orders of whole epochs
   * @param order the remaining batches, the first of which has the number {@code firstBatch}
   * @param leftOut numbers of batches that were delivered before
   */
  IndexedEpoch(
      Dataset<T> dataset,
      EpochOrders orders,
      BatchSampler.BatchOrder order,
      Substitutes substitutes,
      long epoch,
      long firstBatch,
      Set<Long> leftOut) {
    this.dataset = dataset;
    this.orders = orders;
    this.name = dataset.name();
    this.order = order;
    this.substitutes = substitutes;
    this.epoch = epoch;
    this.firstBatch = firstBatch;
    this.leftOut = leftOut;
    this.end = firstBatch + order.batches();
    this.next = firstBatch;
    leaveOut();
  }

  private void leaveOut() {
    while (!leftOut.isEmpty() && leftOut.contains(next)) {
      next++;
    }
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public OptionalLong batches() {
    return OptionalLong.of(end - firstBatch - leftOut.size());
  }

  @Override
  public long samples(int most) {
    return new RowCursor(order, firstBatch, leftOut).samples(most);
  }

  @Override
  public long firstBatch() {
    return firstBatch;
  }

  @Override
  public long endBatch() {
    return end;
  }

  @Override
  public String datasetName() {
    return name;
  }

  @Override
  public boolean evenSteps() {
    return orders.evenSteps();
  }

  @Override
  public Optional<Dataset<T>> dataset() {
    return Optional.of(dataset);
  }

  @Override
  public int nextCapacity() {
    if (next >= end) {
      return 0;
    }
    if (nextSize == 0) {
      try {
        nextSize = sizeOf(next);
      } catch (Throwable failure) {
        // The failure concerns this batch alone: its only row reports it, at the batch's turn.
        nextSize = 1;
        nextFailure = failure;
      }
    }
    return nextSize;
  }

  private int sizeOf(long batch) {
    int size = order.batchSize(batch - firstBatch);
    if (size < 1) {
      throw new IllegalStateException(
          "the batch sampler gives batch %d of epoch %d the size %d; a batch has one sample or more"
              .formatted(batch, epoch, size));
    }
    return size;
  }

  @Override
  public BatchRows<T> open(int capacity) {
    Rows rows = new Rows(next++, nextFailure);
    leaveOut();
    nextSize = 0;
    nextFailure = null;
    return rows;
  }

  /** Rows that are claimed by an increment. */
  private final class Rows implements BatchRows<T> {
    private final long number;

    private final ReadAheadWindow<T>.Walk ahead;

    private final @Nullable Throwable failure;

    Rows(long number, @Nullable Throwable failure) {
      this.number = number;
      this.failure = failure;
      this.ahead = walk == null || walk.findsNothing() ? null : walk;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public int claim(BatchTask<T> task, WorkerClock clock) {
      return task.claimNext();
    }

    @Override
    public boolean claimsWait() {
      return false;
    }

    @Override
    public long index(int row) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw new IllegalStateException(
            "the batch sampler does not tell the size of batch " + number, failure);
      }
      return order.indexAt(number - firstBatch, row);
    }

    @Override
    public long occurrence(int row) {
      return order.occurrence(number - firstBatch, row);
    }

    @Override
    public T get(int row, long index, WorkerContext context) throws Exception {
      return ahead == null ? dataset.get(index, context) : getAhead(row, index, context);
    }

    private T getAhead(int row, long index, WorkerContext context) throws Exception {
      AnnouncedReads reads = ahead.take(number, row);
      if (reads == null) {
        return dataset.get(index, context);
      }
      context.announced(reads);
      try {
        reads.check();
        return dataset.get(index, context);
      } finally {
        context.announced(null);
        reads.close();
      }
    }

    @Override
    public boolean isSample(int row) {
      return failure == null;
    }

    @Override
    public long substitute(int row, long seed, int attempt) {
      return substitutes.index(seed, epoch, number - firstBatch, row, attempt);
    }

    @Override
    public void release(int row) {
      if (ahead != null) {
        ahead.discard(number, row);
      }
    }

    @Override
    public String describe(int row, long index) {
      return dataset.describe(index);
    }
  }

  @Override
  public void readAhead(ReadAheadWindow<T> window) {
    walk = window.new Walk(dataset, orders, order, epoch, firstBatch, leftOut);
  }

  @Override
  public void close() {
    if (walk != null) {
      walk.close();
    }
  }
}
