package io.feedline.stats.internal;

/** A batch as observers see it, also while it is being made. */
public interface ObservedBatch {

  long epoch();

  long number();

  long index(int row);

  /** Returns the dataset's description of a row's sample; its index if there is no description. */
  String describe(int row);
}
