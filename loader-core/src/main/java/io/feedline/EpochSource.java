package io.feedline;

import java.util.OptionalLong;

/**
 * The batches of one epoch, in order: what the engine claims work from. One implementation for
 * datasets with random access, one for streams.
 */
interface EpochSource<T> {
  /** The epoch. */
  long epoch();

  /** The number of batches that it has to give, where that is known beforehand. */
  OptionalLong batches();

  /** The number of the first batch: not 0 where an epoch is resumed. */
  long firstBatch();

  /** The number behind the last batch's; {@link Long#MAX_VALUE} where that is not known. */
  long endBatch();

  /** What the dataset is called in errors. */
  String datasetName();

  /** The number of the dataset's samples; for a stream, 0. */
  long datasetSize();

  /**
   * The rows of the next batch at most, or 0 where there is none. Called under the engine's lock;
   * does not block.
   */
  int nextCapacity();

  /** Counts the next batch as opened and gives its number. Called under the engine's lock. */
  long open();

  /**
   * Claims a row of a batch for the calling worker.
   *
   * @return the row, or -1 where all rows of the batch are claimed
   */
  int claim(BatchTask<T> task);

  /** The index of a row's sample. Not for streams, which give the index with the sample. */
  long indexAt(long batch, int row);

  /** Makes the sample of an index. Not for streams. */
  T get(long index, SampleContext context) throws Exception;

  /** Where a sample comes from, for errors. */
  String describe(long index);

  /** Lets go of what was opened, as soon as nobody uses it; may be called twice. Does not block. */
  void close();
}
