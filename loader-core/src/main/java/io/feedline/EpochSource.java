package io.feedline;

import io.feedline.data.Dataset;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The batches of one epoch, in order: what the engine opens batches from. An {@link IndexedEpoch}
 * for datasets with random access, a {@link StreamedEpoch} for those that are read from front to
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

  /** Returns the number behind the last batch's; {@link Long#MAX_VALUE} where it is not known. */
  long endBatch();

  /** Returns what the dataset is called in errors. */
  String datasetName();

  /**
   * Returns whether each rank is promised as many batches as the others, so that the loader may
   * leave none out; false where this is the only rank.
   */
  boolean evenSteps();

  /** Returns the dataset, where samples can be looked up by index; empty for a stream. */
  Optional<Dataset<T>> dataset();

  /**
   * Has what the epoch will need read ahead of the workers; called before a batch is opened, if at
   * all. A stream is read by its workers alone.
   */
  default void readAhead(ReadAheadWindow<T> window) {}

  /**
   * Returns the rows of the next batch at most, or 0 at the end. Called under the engine's lock;
   * does not block.
   */
  int nextCapacity();

  /** Opens the next batch, of at most so many rows. Called under the engine's lock. */
  BatchRows<T> open(int capacity);

  /** Lets go of what was opened, as soon as it is not in use; may be called twice. */
  void close();
}
