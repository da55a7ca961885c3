package io.feedline;

import io.feedline.data.Dataset;
import java.util.Optional;
import java.util.OptionalLong;

/** The batches of one epoch, in the order in which the engine opens them. */
interface EpochSource<T> {
  long epoch();

  OptionalLong batches();

  /** Returns {@code most} for more samples, and for an unknown number. */
  default long samples(int most) {
    return most;
  }

  /** Not 0 where an epoch is resumed. */
  long firstBatch();

  long endBatch();

  String datasetName();

  /**
   * True if several ranks are promised equally many batches, so that the loader leaves no batch
   * out.
   */
  boolean evenSteps();

  /** Empty for a stream. */
  Optional<Dataset<T>> dataset();

  /** Begins to read ahead of the workers; called before the first batch is opened, if at all. */
  default void readAhead(ReadAheadWindow<T> window) {}

  /**
   * Returns the most rows of the next batch; 0 at the end. Called under the engine's lock; does not
   * block.
   */
  int nextCapacity();

  /** Called under the engine's lock. */
  BatchRows<T> open(int capacity);

  /** Closes the epoch's streams as soon as no thread uses them; may be called twice. */
  void close();
}
