package io.feedline;

import java.util.List;
import java.util.OptionalLong;

/** Makes epochs: functions of their number. */
interface EpochFactory<T> {

  OptionalLong batches(long epoch);

  /**
   * Returns the number of samples (with a batch sampler: batches) of the epoch: of all ranks
   * together if they {@linkplain #sharedByPosition share it by position}, otherwise of this rank;
   * empty if only reading shows it.
   */
  OptionalLong positions(long epoch);

  EpochSource<T> epoch(long epoch, EpochPlace from);

  /** The same epochs over {@link PlaceholderDataset} samples. */
  EpochFactory<T> unread();

  String datasetId();

  List<String> transforms();

  String orderId(long epoch);

  /**
   * True if any number of ranks can continue an epoch, since ranks share it position by position.
   */
  boolean sharedByPosition();

  /** The end of a sentence: why a state's order may differ from this loader's. */
  String otherOrders(int ranksOfState);

  boolean readOnce();

  int worldSize();
}
