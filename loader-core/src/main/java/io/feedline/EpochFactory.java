package io.feedline;

import java.util.List;
import java.util.OptionalLong;

/**
 * A maker of the source of an epoch, whole or from a state on. One implementation for datasets with
 * random access, one for streams. An epoch is a function of its number.
 */
interface EpochFactory<T> {

  /** Returns the number of batches of an epoch, where it is known beforehand. */
  OptionalLong batches(long epoch);

  /**
   * Returns how many samples (with a batch sampler: batches) the ranks that {@linkplain
   * #sharedByPosition share an epoch by position} have in it together, or else this rank has; empty
   * where only reading tells.
   */
  OptionalLong positions(long epoch);

  /** Makes the source of a whole epoch. */
  EpochSource<T> epoch(long epoch);

  /** Makes the source of what is left of a state's epoch. */
  EpochSource<T> remainder(Resumption resumption);

  /** Returns the same epochs over samples that are not read: see {@link PlaceholderDataset}. */
  EpochFactory<T> unread();

  /** Returns what identifies the dataset. */
  String datasetId();

  /** Returns the texts of the transforms that samples pass. */
  List<String> transforms();

  /** Returns what identifies the order of an epoch, whatever the number of ranks that share it. */
  String orderId(long epoch);

  /** Tells whether ranks share an epoch position by position, so that any number can continue. */
  boolean sharedByPosition();

  /**
   * Returns why a state's order may be another one than this loader's, as the end of a sentence.
   *
   * @param ranksOfState how many ranks shared it
   */
  String otherOrders(int ranksOfState);

  /** Tells whether only one epoch can be read in all. */
  boolean readOnce();

  /** Returns how many ranks share the order. */
  int worldSize();
}
