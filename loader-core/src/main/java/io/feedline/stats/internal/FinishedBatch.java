package io.feedline.stats.internal;

/**
 * A finished batch.
 *
 * @param claimed the rows that were made, failed rows included
 * @param samples the samples that the batch delivers; 0 if it failed, or if no sample is left
 * @param tolerated the samples that failed and were skipped or substituted
 */
public record FinishedBatch(
    ObservedBatch batch,
    int claimed,
    int samples,
    int tolerated,
    boolean failed,
    boolean readInTurn,
    BatchTimes times) {

  public long epoch() {
    return batch.epoch();
  }

  public long number() {
    return batch.number();
  }
}
