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
   * Returns the number of samples (with a batch sampler: batches) of the epoch: of all ranks
   * together if they {@linkplain #sharedByPosition share it by position}, otherwise of this rank;
   * empty if only reading shows it.
   */
  OptionalLong positions(long epoch);

  /** Makes the source of a whole epoch. */
  EpochSource<T> epoch(long epoch);

  /** Makes the source of the rest of a state's epoch. */
  EpochSource<T> remainder(Resumption resumption);

  /** Returns the same epochs over samples that are not read: see {@link PlaceholderDataset}. */
  EpochFactory<T> unread();

  /** Returns the identity of the dataset. */
  String datasetId();

  /** Returns the texts of the transforms that samples pass. */
  List<String> transforms();

  /** Returns the identity of an epoch's order, which does not depend on the number of ranks. */
  String orderId(long epoch);

  /**
   * Returns whether ranks share an epoch position by position, so that any number of ranks can
   * continue it.
   */
  boolean sharedByPosition();

  /**
   * Returns, as the end of a sentence, why a state's order may differ from this loader's.
   *
   * @param ranksOfState how many ranks shared it
   */
  String otherOrders(int ranksOfState);

  /** Returns whether the dataset allows only one epoch. */
  boolean readOnce();

  /** Returns how many ranks share the order. */
  int worldSize();
}
