package io.feedline.stats.internal;

/** A batch as observers see it, also while it is being made. */
public interface ObservedBatch {

  /** Returns the number of its epoch. */
  long epoch();

  /** Returns its number in the epoch. */
  long number();

  /** Returns the index of the sample that was made in a claimed row. */
  long index(int row);

  /** Returns what the dataset says about that sample; its index where that is nothing or fails. */
  String describe(int row);
}
