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
  /** Returns the batch's number in its epoch. */
  long number();

  /**
   * Claims a row of a batch for the calling worker.
   *
   * @param clock that worker's
   * @return the row, or -1 where all rows of the batch are claimed
   * @throws InterruptedException if the consumer makes the batch and was interrupted before a row
   *     was claimed; the batch is then continued later
   */
  int claim(BatchTask<T> task, WorkerClock clock) throws InterruptedException;

  /** Returns whether a claim may have to wait until something is read. */
  boolean claimsWait();

  /** Returns the index of a claimed row's sample. */
  long index(int row);

  /**
   * Returns the number that distinguishes a claimed row's sample from other samples of its index,
   * for its draws.
   */
  default long occurrence(int row) {
    return 0;
  }

  /** Makes the sample of a claimed row; called once for each. */
  T get(int row, long index, WorkerContext context) throws Exception;

  /**
   * Returns whether the failure of a claimed row concerns one sample, so that the error policy
   * applies; false for the failure of a shard or a store.
   */
  default boolean isSample(int row) {
    return true;
  }

  /**
   * Returns the index of a sample that may replace a failing sample: from this rank's part of the
   * same order. Not for streams.
   *
   * @param seed of the loader
   * @param attempt how many substitutes have failed at that position
   */
  default long substitute(int row, long seed, int attempt) {
    throw new UnsupportedOperationException("no sample of a stream can be looked up");
  }

  /** Releases the reads and the sample of a finished row. */
  void release(int row);

  /** Returns where a claimed row's sample comes from, for errors. */
  String describe(int row, long index);

  /**
   * Returns the position of a stream after the batch's last row; empty if the position is unknown,
   * or the dataset has random access.
   */
  default List<Long> mark() {
    return List.of();
  }
}
