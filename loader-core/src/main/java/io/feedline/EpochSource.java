package io.feedline;

import io.feedline.data.Dataset;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The batches of one epoch, in the order in which the engine opens them. An {@link IndexedEpoch}
 * for datasets with random access, a {@link StreamedEpoch} for datasets that are read from front to
 * back.
 */
interface EpochSource<T> {
  /** Returns the epoch's number. */
  long epoch();

  /** Returns the number of batches that it has to give, where that is known beforehand. */
  OptionalLong batches();

  /**
   * Returns the number of samples that it has to give, {@code most} where they are more or not
   * known.
   */
  default long samples(int most) {
    return most;
  }

  /** Returns the number of the first batch: not 0 where an epoch is resumed. */
  long firstBatch();

  /** Returns the number behind the last batch's; {@link Long#MAX_VALUE} if it is unknown. */
  long endBatch();

  /** Returns the dataset's name in errors. */
  String datasetName();

  /**
   * Returns whether all ranks are promised the same number of batches, so that the loader may leave
   * no batch out; false for a single rank.
   */
  boolean evenSteps();

  /** Returns the dataset, where samples can be looked up by index; empty for a stream. */
  Optional<Dataset<T>> dataset();

  /**
   * Begins to read the epoch's samples ahead of the workers; called before the first batch is
   * opened, if at all. A stream is read by its workers alone.
   */
  default void readAhead(ReadAheadWindow<T> window) {}

  /**
   * Returns the rows of the next batch at most, or 0 at the end. Called under the engine's lock;
   * does not block.
   */
  int nextCapacity();

  /** Opens the next batch, with at most {@code capacity} rows. Called under the engine's lock. */
  BatchRows<T> open(int capacity);

  /** Closes the epoch's streams as soon as no thread uses them; may be called twice. */
  void close();
}
