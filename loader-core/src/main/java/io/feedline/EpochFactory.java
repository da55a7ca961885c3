package io.feedline;

import java.util.OptionalLong;

/**
 * Makes the source of an epoch, whole or from a state on. One implementation for datasets with
 * random access, one for streams.
 *
 * <p>The {@code past} of an epoch is what a {@link io.feedline.sampler.HistoricalSampler} says it
 * is; to all others it means nothing.
 */
interface EpochFactory<T> {

  /** The number of batches of an epoch, where it is known beforehand. */
  OptionalLong batches(long epoch, long past);

  /** The past of an epoch whose predecessors all ran to their end. */
  long past(long epoch);

  /**
   * The past of the epoch that follows one that was left.
   *
   * @param asked how many samples were asked for; more than there are, if it ran to its end
   */
  long after(long past, long asked);

  /** Whether an epoch depends on how far the one before it went. */
  boolean historical();

  /** A whole epoch. */
  EpochSource<T> epoch(long epoch, long past);

  /**
   * What is left of a state's epoch.
   *
   * @param position how many samples (with a batch sampler: batches) of it this rank has used up
   */
  EpochSource<T> remainder(LoaderState state, long position);

  /** Identifies the dataset. */
  String datasetId();

  /** Identifies the order of an epoch, whatever the number of ranks that share it. */
  String orderId(long epoch, long past);

  /** Whether ranks share an epoch position by position, so that any number of them can go on. */
  boolean sharedByPosition();

  /** How many ranks share the order. */
  int worldSize();
}
