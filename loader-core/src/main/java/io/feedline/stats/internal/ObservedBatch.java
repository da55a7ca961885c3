package io.feedline.stats.internal;

/** A batch as observers see it, also while it is being made. */
public interface ObservedBatch {

  /** Returns the number of its epoch. */
  long epoch();

  /** Returns its number in the epoch. */
  long number();

  /** Returns the index of the sample that was made in a claimed row. */
  long index(int row);

  /** Returns the dataset's description of that sample; its index if there is no description. */
  String describe(int row);
}
