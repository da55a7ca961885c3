package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class WorkerClockTest {

  private final LoaderClock time = new LoaderClock();
  private final WorkerClock worker = new WorkerClock(time);

  private final AtomicLong nanos = new AtomicLong();
  private final LoaderClock ticking = new LoaderClock(nanos::get, nanos::get, MachineLoad.NONE);
  private final BatchTimes timed = batch(ticking, 1);
  private final WorkerClock measuring = begun(ticking, timed);

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

  /** A reading of the thread's processor time is a system call. */
  @Test
  void shouldReadTheProcessorTimeOfLongStagesAlone() {
    AtomicInteger readings = new AtomicInteger();
    LoaderClock clock =
        new LoaderClock(
            nanos::get,
            () -> {
              readings.incrementAndGet();
              return nanos.get() / 2;
            },
            MachineLoad.NONE);
    nanos.set(1_000_000);
    BatchTimes batch = batch(clock, 1);
    WorkerClock begun = begun(clock, batch);
    readings.set(0);

    nanos.addAndGet(100);
    begun.enter(Stages.DECODE);
    nanos.addAndGet(8_000);
    begun.enter(Stages.TRANSFORM);
    nanos.addAndGet(WorkerClock.BRIEF_NANOS - 1);
    begun.enter(Stages.WRITE);
    begun.end();

    assertThat(readings).hasValue(1);
    assertThat(batch.elapsed()[Stages.READ]).isEqualTo(100);
    assertThat(batch.elapsed()[Stages.DECODE]).isEqualTo(8_000);
    assertThat(batch.elapsed()[Stages.TRANSFORM]).isEqualTo(WorkerClock.BRIEF_NANOS - 1);
    assertThat(batch.cpu()[Stages.READ]).isEqualTo(100);
    assertThat(batch.cpu()[Stages.TRANSFORM]).isEqualTo(WorkerClock.BRIEF_NANOS - 1);
    // What the stage before it was said to have worked, but had not, is taken off here.
    assertThat(batch.cpu()[Stages.DECODE]).isEqualTo(8_100 / 2 - 100);
  }

  /** The first images of a process are made one after the other, which is no worker's work. */
  @Test
  void shouldLeaveOutTheTimeThatAnotherThreadWasWaitedFor() {
    nanos.addAndGet(7_000);
    measuring.enter(Stages.WRITE);

    nanos.addAndGet(900_000_000);
    measuring.leaveOut();
    measuring.decode();
    nanos.addAndGet(5_000);
    measuring.end();

    assertThat(timed.elapsed()[Stages.READ]).isEqualTo(7_000);
    assertThat(timed.elapsed()[Stages.WRITE]).isZero();
    assertThat(timed.elapsed()[Stages.DECODE]).isEqualTo(5_000);
    assertThat(timed.cpu()[Stages.WRITE]).isZero();
  }

  /** The pixels of an image are changed when it is decoded, and written afterwards. */
  @Test
  void shouldTellChangesOfPixelsFromDecoding() {
    measuring.enter(Stages.WRITE);
    measuring.decode();
    nanos.addAndGet(50_000);
    int before = measuring.transform(this);
    nanos.addAndGet(8_000_000);
    assertThat(measuring.transform(this)).as("within another").isEqualTo(Stages.TRANSFORM);
    measuring.transformed(Stages.TRANSFORM);
    measuring.transformed(before);
    nanos.addAndGet(7_000);
    measuring.decoded(5_000);
    measuring.end();

    assertThat(timed.elapsed()[Stages.DECODE]).isEqualTo(52_000);
    assertThat(timed.elapsed()[Stages.TRANSFORM]).isEqualTo(8_000_000);
    assertThat(timed.elapsed()[Stages.WRITE]).isEqualTo(5_000);
  }

  /** A user's function that decodes an image and changes it is a stage as a whole. */
  @Test
  void shouldLeaveAUsersStageAsItIs() {
    measuring.enter("resize");
    int before = measuring.transform(this);
    nanos.addAndGet(5_000);
    measuring.transformed(before);
    measuring.end();

    assertThat(timed.elapsed()[ticking.stages().number("resize")]).isEqualTo(5_000);
    assertThat(timed.elapsed()[Stages.TRANSFORM]).isZero();
  }

  /** The flight recorder's events cost a reading only where a recording runs. */
  @Test
  void shouldLookAtTheClockOnceAStageWhereNothingIsRecorded() {
    AtomicInteger readings = new AtomicInteger();
    LoaderClock clock = new LoaderClock(readings::incrementAndGet, () -> 0, MachineLoad.NONE);
    WorkerClock begun = begun(clock, batch(clock, 1));
    int before = readings.get();

    begun.enter(Stages.DECODE);
    begun.end();

    assertThat(readings).hasValue(before + 2);
  }

  /** The worker that finishes a batch's last row puts it together, and may lose its processor. */
  @Test
  void shouldTellHowLongTheWorkerQueuedThatPutTheBatchTogether() {
    AtomicLong cpu = new AtomicLong();
    AtomicLong queued = new AtomicLong(7_000_000);
    MachineLoad delays =
        new MachineLoad() {
          @Override
          public LongSupplier queue() {
            return queued::get;
          }
        };
    LoaderClock clock = new LoaderClock(nanos::get, cpu::get, delays);
    BatchTimes batch = batch(clock, 1);
    WorkerClock begun = begun(clock, batch);
    begun.end();

    batch.assembledBy(begun);
    batch.beginCollating();
    nanos.addAndGet(1_000_000);
    cpu.addAndGet(1_000_000);
    batch.beginTransforming();
    nanos.addAndGet(10_000_000);
    cpu.addAndGet(4_000_000);
    queued.addAndGet(5_000_000);
    batch.assembled();

    assertThat(batch.queued()[Stages.COLLATE]).isZero();
    assertThat(batch.queued()[Stages.BATCH_TRANSFORM]).isEqualTo(5_000_000);
  }

  private static WorkerClock begun(LoaderClock clock, BatchTimes batch) {
    WorkerClock measuring = new WorkerClock(clock);
    measuring.switchBatch(batch);
    measuring.begin();
    measuring.at(0);
    return measuring;
  }

  private BatchTimes batch() {
    return batch(time, 0);
  }

  private static BatchTimes batch(LoaderClock clock, double weight) {
    return new BatchTimes(new FirstBatch(), clock, weight);
  }

  private static final int BATCHES = 100_000;
  private static final int ROWS = 8;
  private static final long QUICK = 2_000;

  private MeasuredBatches batches = new MeasuredBatches(ticking);

  @Test
  void shouldMeasureAllBatchesThatTakeLong() {
    assertThat(measured(Duration.ofMillis(10).toNanos(), 0)).isEqualTo(BATCHES);
  }

  @Test
  void shouldMeasureFewQuickBatches() {
    assertThat(measured(QUICK, 0)).isBetween(BATCHES / 2_000, BATCHES / 500);
  }

  @Test
  void shouldNotMeasureMoreWhereThreadsWaitForAProcessor() {
    int measured = measured(QUICK, Duration.ofMillis(20).toNanos());

    // Cheap beside the work, without the pauses.
    long cost = (long) measured * ROWS * MeasuredBatches.COST_NANOS;
    assertThat(cost).isLessThan(BATCHES * QUICK / 20);
  }

  @Test
  void shouldNoticeThatBatchesTakeLongNow() {
    measured(QUICK, 0);

    int measured = measured(Duration.ofMillis(10).toNanos(), 0);

    assertThat(measured).isGreaterThan(BATCHES - 100);
  }

  @Test
  void shouldMeasureLessWhereClocksAreSlow() {
    LoaderClock slow = new LoaderClock(nanos::get, () -> nanos.addAndGet(4_000), MachineLoad.NONE);
    batches = new MeasuredBatches(slow);

    assertThat(measured(100_000, 0)).isLessThan(BATCHES / 100);
  }

  private int measured(long distance, long pause) {
    int measured = 0;
    for (int i = 0; i < BATCHES; i++) {
      nanos.addAndGet(i % 500 == 499 ? distance + pause : distance);
      measured += batches.next(ROWS, 1, nanos.get()) > 0 ? 1 : 0;
    }
    return measured;
  }
}
