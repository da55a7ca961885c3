package io.feedline;

import io.feedline.stats.internal.WorkerClock;
import java.util.List;

/**
 * The rows of one batch, and where their samples come from. One implementation for datasets with
 * random access, one for streams.
 *
 * <p>Used by many workers at once, each with rows that it has claimed.
 */
interface BatchRows<T> {
  long number();

  /**
   * Claims a row for the calling worker, which owns the clock; returns -1 where all rows are
   * claimed.
   *
   * @throws InterruptedException if the consumer makes the batch and was interrupted before a row
   *     was claimed; the batch is then continued later
   */
  int claim(BatchTask<T> task, WorkerClock clock) throws InterruptedException;

  /** Returns whether a claim may have to wait until something is read. */
  boolean claimsWait();

  long index(int row);

  /** The number that distinguishes the sample from others of its index, for its draws. */
  default long occurrence(int row) {
    return 0;
  }

  T get(int row, long index, WorkerContext context) throws Exception;

  /** False for the failure of a shard or a store, to which no error policy applies. */
  default boolean isSample(int row) {
    return true;
  }

  /** Returns the index of a sample that may replace a failing sample. Not for streams. */
  default long substitute(int row, long seed, int attempt) {
    throw new UnsupportedOperationException("no sample of a stream can be looked up");
  }

  void release(int row);

  String describe(int row, long index);

  /**
   * Returns the position of a stream after the batch's last row; empty if the position is unknown,
   * or the dataset has random access.
   */
  default List<Long> mark() {
    return List.of();
  }
}
