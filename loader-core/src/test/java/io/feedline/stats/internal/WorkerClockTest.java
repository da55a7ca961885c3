package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerClockTest {

  private final LoaderClock time = new LoaderClock();
  private final WorkerClock worker = new WorkerClock(time);

  @Test
  void shouldTellTheRowOfTheBatchThatTheWorkerIsAt() {
    BatchTimes batch = batch();
    worker.switchBatch(batch);
    worker.at(3);

    assertThat(worker.rowOf(batch)).isEqualTo(3);
    assertThat(worker.rowOf(batch())).isEqualTo(-1);
  }

  /** The last batch of an epoch may have fewer rows than the one before. */
  @Test
  void shouldTellNoRowOfTheBatchBeforeForOneOfWhichNoneIsClaimed() {
    worker.switchBatch(batch());
    worker.at(11);
    BatchTimes last = batch();

    worker.switchBatch(last);

    assertThat(worker.rowOf(last)).isEqualTo(-1);
  }

  private BatchTimes batch() {
    ObservedBatch batch =
        new ObservedBatch() {
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
        };
    return new BatchTimes(batch, time, 0);
  }
}
