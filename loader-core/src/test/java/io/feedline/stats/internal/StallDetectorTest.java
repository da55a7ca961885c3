package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Stages;
import io.feedline.stats.Stalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The detector of stalls, of batches whose times are numbers in milliseconds. */
class StallDetectorTest {

  private static final long MS = 1_000_000;

  private static final MachineLoad TWO_PROCESSORS =
      new MachineLoad() {
        @Override
        public int processors() {
          return 2;
        }
      };

  private final LoaderClock clock = new LoaderClock(() -> 0, () -> 0, TWO_PROCESSORS);
  private final StallDetector detector = new StallDetector(5 * MS, 2, Long.MAX_VALUE, clock);

  private FinishedBatch batch(long decoding, long worked, long queued) {
    return batch(row -> decoding, worked, queued, false);
  }

  private FinishedBatch batch(
      IntToLongFunction decoding, long worked, long queued, boolean readInTurn) {
    BatchTimes times = new BatchTimes(null, clock, 1);
    BatchTimes.Share share = times.newShare();
    for (int row = 0; row < 8; row++) {
      long[] elapsed = of(MS, decoding.applyAsLong(row) * MS);
      share.add(row, elapsed, of(0, worked * MS), of(0, queued * MS));
    }
    return new FinishedBatch(null, 8, 8, 0, false, readInTurn, times);
  }

  private static long[] of(long read, long decoding) {
    long[] nanos = new long[Stages.OWN];
    nanos[Stages.READ] = read;
    nanos[Stages.DECODE] = decoding;
    return nanos;
  }

  private Stalls.Cause cause(FinishedBatch batch) {
    return detector.detect(batch, new StallDetector.Wait(20 * MS, -1, 0, 0)).cause();
  }

  private void learn(FinishedBatch batch) {
    assertThat(detector.detect(batch, new StallDetector.Wait(0, -1, 0, 0))).isNull();
  }

  /** Too many for the processors, with one batch at a time or several, and as many as these. */
  @ParameterizedTest
  @CsvSource({"8, 2, 8, 6, DECODE", "32, 8, 32, 30, DECODE", "2, 2, 8, 6, OTHER"})
  void shouldBlameOthersOnlyWhereWorkersHaveTheProcessors(
      int workers, int prefetch, long decoding, long queued, Stalls.Cause cause) {
    detector.setting(workers, prefetch);
    assertThat(cause(batch(decoding, 2, queued))).isEqualTo(cause);
  }

  @Test
  void shouldBlameOthersForABatchThatTookLongerThanUsual() {
    detector.setting(2, 2);
    for (int i = 0; i < 20; i++) {
      assertThat(cause(batch(8, 8, 0))).isEqualTo(Stalls.Cause.DECODE);
    }
    assertThat(cause(batch(24, 8, 16))).isEqualTo(Stalls.Cause.OTHER);
  }

  /** A time for which workers had no room explains as long a wait, and once. */
  @Test
  void shouldBlameTheSameWantOfRoomOnce() {
    detector.setting(1, 2);
    learn(batch(7, 7, 0));
    detector.idleForRoom(25 * MS);
    assertThat(cause(batch(7, 7, 0))).isEqualTo(Stalls.Cause.NO_ROOM);
    assertThat(cause(batch(7, 7, 0))).isEqualTo(Stalls.Cause.DECODE);
  }

  @Test
  void shouldNotBlameTheWantOfRoomOfOneWorkerAmongMany() {
    detector.setting(8, 2);
    learn(batch(7, 7, 0));
    detector.idleForRoom(40 * MS);
    assertThat(cause(batch(7, 7, 0))).isEqualTo(Stalls.Cause.DECODE);
  }

  @Test
  void shouldBlameReadingThatWorkersDoOneAfterTheOther() {
    detector.setting(8, 2);
    assertThat(cause(batch(row -> 6, 6, 0, false))).isEqualTo(Stalls.Cause.DECODE);
    assertThat(cause(batch(row -> 6, 6, 0, true))).isEqualTo(Stalls.Cause.READ);
  }

  @Test
  void shouldNotTakeForUsualWhatThePausesOfThreadsHaveAdded() {
    detector.setting(1, 2);
    learn(batch(1, 1, 0));
    StallDetector.Wait collected = new StallDetector.Wait(20 * MS, -1, 20 * MS, 0);
    assertThat(detector.detect(batch(9, 1, 0), collected).cause())
        .isEqualTo(Stalls.Cause.COLLECTOR);
    assertThat(detector.detect(batch(5, 1, 0), new StallDetector.Wait(20 * MS, -1, 0, 0)).detail())
        .isEqualTo(
            "decoding took 83% of the 48 ms that the batch took, where it takes 8 ms as a rule");
  }

  /** Many short ones, none of which is half of the wait. */
  @Test
  void shouldBlameCollectionsThatTookMoreThanAnyStage() {
    detector.setting(1, 2);
    StallDetector.Wait collected = new StallDetector.Wait(20 * MS, -1, 9 * MS, 9 * MS);
    StallDetector.Finding both = detector.detect(batch(1, 1, 0), collected);
    assertThat(both.cause()).isEqualTo(Stalls.Cause.COLLECTOR);
    assertThat(both.detail()).isEqualTo("the garbage collector stopped all threads for 9 ms");

    StallDetector.Finding decoding =
        detector.detect(batch(8, 1, 0), new StallDetector.Wait(20 * MS, -1, 5 * MS, 5 * MS));
    assertThat(decoding.cause()).isEqualTo(Stalls.Cause.DECODE);
    assertThat(decoding.detail())
        .isEqualTo(
            "decoding took 89% of the 72 ms that the batch took, where it takes 8 ms as a rule;"
                + " the garbage collector stopped all threads for 5 ms");
  }

  /** The batch is later than others for the collections alone. */
  @Test
  void shouldBlameCollectionsThatMadeABatchTakeLongerThanUsual() {
    detector.setting(1, 2);
    learn(batch(3, 3, 0));
    StallDetector.Wait collected = new StallDetector.Wait(60 * MS, -1, 25 * MS, 25 * MS);
    assertThat(detector.detect(batch(8, 3, 0), collected).cause())
        .isEqualTo(Stalls.Cause.COLLECTOR);
  }

  /** A batch of slow samples hides no slow sample of the next one. */
  @Test
  void shouldBlameASlowSampleBehindABatchOfSlowOnes() {
    detector.setting(1, 2);
    learn(batch(1, 1, 0));
    learn(batch(99, 1, 0));
    StallDetector.Finding finding =
        detector.detect(
            batch(row -> row == 3 ? 59 : 1, 1, 0, false),
            new StallDetector.Wait(20 * MS, -1, 0, 0));
    assertThat(finding.cause()).isEqualTo(Stalls.Cause.SLOW_SAMPLE);
    assertThat(finding.row()).isEqualTo(3);
  }

  private long now;

  /** Which sample is slow can be seen where one worker alone is left. */
  @ParameterizedTest
  @CsvSource({"1, SLOW_SAMPLE, 3", "2, OTHER, -1"})
  void shouldBlameTheSampleOfOneWorkerAlone(int workers, Stalls.Cause cause, int row) {
    LoaderClock ticking = new LoaderClock(() -> now, () -> 0, MachineLoad.NONE);
    StallDetector stalls = new StallDetector(5 * MS, 2, Long.MAX_VALUE, ticking);
    ConsumerWait wait = new ConsumerWait(5 * MS, ticking, stalls, new MeasuredBatches(ticking));
    BatchTimes times = new BatchTimes(null, ticking, 0);
    for (int number = 0; number < 2; number++) {
      try (WorkerClock worker = new WorkerClock(ticking)) {
        wait.register(worker);
        worker.switchBatch(number < workers ? times : new BatchTimes(null, ticking, 0));
        worker.at(3 + number);
      }
    }
    long came = wait.arrived(0, 1);
    wait.begins(came);
    now += 20 * MS;
    assertThat(wait.inspect(times, now - came)).isEqualTo(Long.MAX_VALUE);
    wait.found(came, true);
    StallDetector.Finding finding =
        wait.take(new FinishedBatch(null, 8, 8, 0, false, false, times));
    assertThat(finding.cause()).isEqualTo(cause);
    assertThat(finding.row()).isEqualTo(row);
    assertThat(finding.waited()).isEqualTo(20 * MS);
  }

  /** To look at the workers takes longer than some waits, so it is done ten times a second. */
  @Test
  void shouldLookNowAndThenHowManyWorkersWaitForEachOthersLocks() {
    MachineLoad delays =
        new MachineLoad() {
          @Override
          public int contending(long[] threads) {
            return 3;
          }
        };
    LoaderClock ticking = new LoaderClock(() -> now, () -> 0, delays);
    StallDetector stalls = new StallDetector(5 * MS, 2, Long.MAX_VALUE, ticking);
    ConsumerWait wait = new ConsumerWait(5 * MS, ticking, stalls, new MeasuredBatches(ticking));
    List<Integer> seen = new ArrayList<>();
    seen.add(contending(wait));
    try (WorkerClock worker = new WorkerClock(ticking)) {
      wait.register(worker);
      for (int batch = 0; batch < 12; batch++) {
        seen.add(contending(wait));
        now += 20 * MS;
      }
    }
    assertThat(seen).as("without workers").startsWith(-1);
    assertThat(seen.subList(1, 13))
        .as("not when workers have only begun")
        .containsExactly(-1, -1, -1, -1, -1, 3, -1, -1, -1, -1, 3, -1);
  }

  private static int contending(ConsumerWait wait) {
    long came = wait.arrived(0, 1);
    wait.begins(came);
    wait.found(came, true);
    int contending = wait.taken(4, 4, 2).contending();
    wait.forget();
    return contending;
  }
}
