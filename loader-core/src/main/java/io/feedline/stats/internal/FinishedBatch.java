package io.feedline.stats.internal;

/**
 * A batch that is finished, as the consumer takes it.
 *
 * @param batch its place in the epoch
 * @param claimed the number of rows that were made, including failed rows
 * @param samples the samples that it delivers; 0 where it failed, or nothing is left of it
 * @param tolerated the samples that failed and were skipped or substituted
 * @param failed whether it ends in an exception
 * @param readInTurn whether its samples were read from a stream, one after the other
 * @param times its measured times
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
