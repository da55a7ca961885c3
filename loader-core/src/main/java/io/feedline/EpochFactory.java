package io.feedline;

import java.util.List;
import java.util.OptionalLong;

/** A factory of epochs; an epoch is a function of its number. */
interface EpochFactory<T> {

  OptionalLong batches(long epoch);

  /**
   * Returns the number of samples (with a batch sampler: batches) of the epoch. Counts all ranks if
   * they {@linkplain #sharedByPosition share the epoch by position}, otherwise this rank alone.
   * Empty if only reading shows the number.
   */
  OptionalLong positions(long epoch);

  EpochSource<T> epoch(long epoch, EpochPlace from);

  /** Returns a factory of the same epochs with {@link PlaceholderDataset} samples. */
  EpochFactory<T> unread();

  String datasetId();

  List<String> transforms();

  String orderId(long epoch);

  /** Returns whether ranks take positions in turn, so any number of ranks can continue an epoch. */
  boolean sharedByPosition();

  /** Returns the possible reasons why a state has another order than this loader, for a message. */
  String otherOrders(int ranksOfState);

  boolean readOnce();

  int worldSize();
}
