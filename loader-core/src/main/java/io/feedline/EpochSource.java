package io.feedline;

import io.feedline.data.Dataset;
import java.util.Optional;
import java.util.OptionalLong;

/** The batches of one epoch, in the order in which the engine opens them. */
interface EpochSource<T> {
  long epoch();

  OptionalLong batches();

  /** Returns the number of samples; {@code most} if the number is larger than that, or unknown. */
  default long samples(int most) {
    return most;
  }

  /** Returns the number of the first batch, which may be above 0 if the epoch is resumed. */
  long firstBatch();

  long endBatch();

  String datasetName();

  /** Returns whether ranks must deliver equally many batches, and so may leave out no batch. */
  boolean evenSteps();

  /** Returns the dataset; empty for a stream. */
  Optional<Dataset<T>> dataset();

  /** Begins to read ahead of the workers; called before the first batch is opened, if at all. */
  default void readAhead(ReadAheadWindow<T> window) {}

  /**
   * Returns the largest number of rows of the next batch; 0 at the end. Called under the engine's
   * lock; does not block.
   */
  int nextCapacity();

  /** Opens the next batch. Called under the engine's lock. */
  BatchRows<T> open(int capacity);

  /** Closes the epoch's streams as soon as no thread uses them; may be called twice. */
  void close();
}
