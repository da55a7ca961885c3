package io.feedline;

import io.feedline.stats.internal.WorkerClock;
import java.util.List;

/**
 * The rows of one batch, with the source of their samples. Datasets with random access have one
 * implementation, streams have another.
 *
 * <p>Many workers use it at once, each for the rows that it has claimed.
 */
interface BatchRows<T> {
  long number();

  /**
   * Claims a row for the worker with this clock, and returns the row; returns -1 if all rows are
   * claimed.
   *
   * @throws InterruptedException if the consumer makes the batch and was interrupted before a row
   *     was claimed; the batch is then continued later
   */
  int claim(BatchTask<T> task, WorkerClock clock) throws InterruptedException;

  /** Returns whether a claim may have to wait until a sample is read. */
  boolean claimsWait();

  long index(int row);

  /** Returns a number that gives rows with the same index different random draws. */
  default long occurrence(int row) {
    return 0;
  }

  T get(int row, long index, WorkerContext context) throws Exception;

  /** Returns whether a row's failure concerns its sample alone; else no error policy applies. */
  default boolean isSample(int row) {
    return true;
  }

  /** Returns the index of a sample that may replace a failing sample. Not for streams. */
  default long substitute(int row, long seed, int attempt) {
    throw new UnsupportedOperationException("no sample of a stream can be looked up");
  }

  void release(int row);

  String describe(int row, long index);

  /** Returns the stream's position after the batch; empty if unknown, or without a stream. */
  default List<Long> mark() {
    return List.of();
  }
}
