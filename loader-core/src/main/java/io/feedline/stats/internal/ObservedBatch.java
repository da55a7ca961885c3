package io.feedline.stats.internal;

/** The place and samples of a batch, for figures and events, also while the batch is being made. */
public interface ObservedBatch {

  long epoch();

  long number();

  long index(int row);

  /** Returns the dataset's description of a row's sample; its index if there is no description. */
  String describe(int row);
}
