package io.feedline.stats.internal;

/** The first batch of an epoch, whose rows are its indices. */
record FirstBatch() implements ObservedBatch {
  @Override
  public long epoch() {
    return 0;
  }

  @Override
  public long number() {
    return 0;
  }

  @Override
  public long index(int row) {
    return row;
  }

  @Override
  public String describe(int row) {
    return "index " + row;
  }
}
