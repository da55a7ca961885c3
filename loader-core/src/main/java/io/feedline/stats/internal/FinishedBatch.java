package io.feedline.stats.internal;

/**
 * A batch that is finished, as the consumer takes it.
 *
 * @param batch what it is called
 * @param claimed the rows that were made, those that failed included
 * @param samples the samples that it delivers; 0 where it failed, or nothing is left of it
 * @param tolerated the samples that failed and were skipped or substituted
 * @param failed whether it ends in an exception
 * @param readInTurn whether its samples were read one after the other, from a stream
 * @param times what it took
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
