package io.feedline.sampler;

/** The batch sampler of {@link BatchSampler#of}: a sampler's positions in groups of one size. */
record FixedSizeBatchSampler(Sampler sampler, int batchSize, boolean dropLast)
    implements BatchSampler {

  @Override
  public BatchOrder order(long epoch) {
    return new FixedSizeBatches(sampler.order(epoch), batchSize, dropLast);
  }

  @Override
  public String toString() {
    return "BatchSampler(%s, batchSize=%d, dropLast=%b)".formatted(sampler, batchSize, dropLast);
  }
}
