package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tuner's rules one by one, by the figures of each batch. */
class WorkerTunerRulesTest {

  private static final int MANY = 2000;

  private static final class Trace {
    private final WorkerTuner tuner;
    private Tuner.Setting setting;
    private long at;
    private double idle;
    private double cpuMicros;
    private int samples = 32;
    private int inFlight = 1;

    /** The batches up to the last change. */
    private int batches;

    Trace(int processors, int most) {
      this(new WorkerTuner.Limits(most, 16, false, 2, Long.MAX_VALUE, processors), trace -> {});
    }

    Trace(WorkerTuner.Limits limits, Consumer<Trace> first) {
      tuner = new WorkerTuner(limits, 32, () -> (long) (1000 * cpuMicros), () -> 1);
      setting = tuner.first();
      first.accept(this);
      take(0, 0, true);
    }

    private boolean take(double millis, double waitedMillis, boolean first) {
      at += (long) (1e6 * millis);
      Tuner.Setting next =
          tuner.taken(
              new Tuner.Take(
                  at,
                  (long) (1e6 * waitedMillis),
                  samples,
                  (long) idle,
                  inFlight,
                  0,
                  1 << 20,
                  first));
      setting = next == null ? setting : next;
      return next != null;
    }

    /**
     * Takes batches, each of so many milliseconds, until the setting changes.
     *
     * @param waits the share of the time that the consumer waits
     * @param working workers that have room
     * @param processors that they keep busy
     */
    Trace until(int most, double millis, double waits, double working, double processors) {
      for (batches = 1; batches <= most; batches++) {
        idle += 1e6 * millis * (setting.workers() - working);
        cpuMicros += 1000 * millis * processors;
        if (take(millis, waits * millis, false)) {
          return this;
        }
      }
      batches = 0;
      return this;
    }

    Trace until(double millis, double waits, double working, double processors) {
      return until(MANY, millis, waits, working, processors);
    }

    /**
     * Makes trials that fail: more workers, fewer after a rest, more again, and so on.
     *
     * @param trials how many
     */
    Trace fail(int trials) {
      for (int trial = 0; trial < trials; trial++) {
        until(100, 0.99, 4, 0.1).until(200, 0.99, setting.workers(), 0.1);
      }
      return this;
    }

    void assertSetting(int workers, String reason, int afterBatches) {
      assertThat(setting.workers()).as("%s", setting).isEqualTo(workers);
      assertThat(setting.reason()).isEqualTo(reason);
      assertThat(batches).as("%s", setting).isEqualTo(afterBatches);
    }

    void assertUnchanged() {
      assertThat(batches).as("%s", setting).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0.04, 1, 4", // too little to be worth a change
    "0.06, 1, 6", // one and a half for each that is needed
    "0.5, 1, 12",
    "0.5, 2, 8", // two times as many have all processors
    "0.9, 3.4, 5", // one at least
    "0.9, 3.7, 4", // the processors are busy
    "0.99, 0.1, 32" // eight times as many at most
  })
  void shouldComputeHowManyTheConsumerNeeds(double waits, double processors, int workers) {
    Trace trace = new Trace(4, 64).until(4, 100, waits, 4, processors);

    assertThat(trace.setting.workers()).as("%s", trace.setting).isEqualTo(workers);
  }

  @ParameterizedTest
  @CsvSource({"9, 4, 6, 56", "8, 4, 8, 0", "30, 0, 1, 100"})
  void shouldTakeFewerWhereManyHaveNoRoom(int most, double working, int workers, int idle) {
    Trace trace = new Trace(4, most).until(100, 0.99, 4, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(most);

    trace.until(40, 100, 0, working, 0.1);

    if (idle == 0) {
      trace.assertUnchanged();
    } else {
      String reason = "workers have no room for %d%% of their time".formatted(idle);
      trace.assertSetting(workers, reason, 5);
    }
  }

  @Test
  void shouldLeaveBusyProcessorsToFewerAtOnceWhereThereCannotBeMore() {
    Trace trace = new Trace(4, 8).until(100, 0.99, 4, 0.1).until(50, 0.99, 8, 3.9);

    trace.assertSetting(4, "all processors are busy", 6);
  }

  @Test
  void shouldNotCountWhatTheProcessorsDidBefore() {
    WorkerTuner.Limits limits = new WorkerTuner.Limits(64, 16, false, 2, Long.MAX_VALUE, 4);
    Trace trace = new Trace(limits, before -> before.cpuMicros = 1e8).until(100, 0.5, 4, 1);

    trace.assertSetting(12, "the consumer waits for 50% of its time", 4);
  }

  @Test
  void shouldWaitForSamples() {
    Trace trace = new Trace(4, 64);
    trace.samples = 0;
    trace.until(100, 100, 0.5, 4, 1).assertUnchanged();
  }

  @Test
  void shouldTakeAWaitForNoLongerThanTheTime() {
    Trace trace = new Trace(4, 64);
    trace.until(100, 1.2, 4, 0.1).assertSetting(32, "the consumer waits for 100% of its time", 4);
  }

  @Test
  void shouldKnowEachPauseForOne() {
    Trace trace = new Trace(4, 64);
    for (int pause = 0; pause < 2; pause++) {
      assertThat(trace.take(100, 99, false)).isFalse();
      assertThat(trace.take(400, 99, false)).isFalse();
    }
    assertThat(trace.take(100, 99, false)).isFalse();
    assertThat(trace.take(100, 99, false)).isTrue();

    assertThat(trace.setting.reason()).isEqualTo("the consumer waits for 99% of its time");
  }

  @Test
  void shouldDoubleTheBatchesAheadWhereWorkersHaveNoRoom() {
    Trace trace = new Trace(4, 64);
    assertThat(trace.setting.prefetch()).isEqualTo(2);

    trace.until(100, 0.5, 1, 0.1);
    assertThat(trace.setting.prefetch()).isEqualTo(4);
    trace.until(100, 0.5, 1, 0.1);
    assertThat(trace.setting.prefetch()).isEqualTo(8);
    trace.assertSetting(4, "the consumer waits for 50% of its time, and workers have no room", 5);

    trace.until(100, 100, 0, 4, 0.1).assertUnchanged();
  }

  @Test
  void shouldPrepareMoreBatchesWhereTheyHaveBecomeSmall() {
    Trace trace = new Trace(4, 64);
    trace.samples = 1;

    trace.until(100, 0, 4, 0.1);

    assertThat(trace.setting.prefetch()).isEqualTo(4);
    assertThat(trace.setting.reason()).isEqualTo("batches have become small");
  }

  @Test
  void shouldLeaveAnyPrefetchThatAUserHasSet() {
    WorkerTuner.Limits limits = new WorkerTuner.Limits(64, 9, true, 2, 1 << 20, 4);
    Trace trace = new Trace(limits, before -> {});
    assertThat(trace.setting.prefetch()).isEqualTo(9);

    trace.until(100, 0.5, 4, 1);

    assertThat(trace.setting.workers()).isEqualTo(12);
    assertThat(trace.setting.prefetch()).isEqualTo(9);
  }

  /** Five percent count: towards the processors a trial may lose less, away it has to gain more. */
  @ParameterizedTest
  @CsvSource({
    "16, 12, 103, true",
    "16, 12, 107, false",
    "16, 16, 103, true",
    "4, 12, 97, false",
    "4, 12, 93, true"
  })
  void shouldPreferAsManyWorkersAsProcessors(
      int processors, int most, double millis, boolean kept) {
    Trace trace = new Trace(processors, most).until(100, 0.9, 4, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(most);

    trace.until(5, millis, 0.9, most, 0.1);

    assertThat(trace.setting.workers()).as("%s", trace.setting).isEqualTo(kept ? most : 4);
  }

  /** Spans become longer, and there are more of them until fewer are tried. */
  @Test
  void shouldRestAfterAFailure() {
    Trace trace = new Trace(4, 64).fail(1);
    trace.assertSetting(4, "back: a sample takes 6.3 ms, and took 3.1 ms before", 5);

    trace.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 8 * 5);
    trace.until(200, 0.99, 2, 0.1).fail(1);
    trace.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 32 * 20);
    for (int i = 0; i < 2; i++) {
      trace.until(200, 0.99, 2, 0.1).fail(1);
      trace.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 64 * 20);
    }
  }

  @Test
  void shouldEndATrialOfFewerEarlyWhereItIsFarSlower() {
    Trace trace = new Trace(4, 64).fail(3).until(100, 0.99, 4, 0.1).until(200, 0.99, 2, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(4);
    assertThat(trace.batches).isEqualTo(1 + 4);

    trace.fail(1).until(100, 0.99, 4, 0.1).until(125, 0.99, 2, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(4);
    assertThat(trace.batches).isEqualTo(1 + 16);
  }

  @Test
  void shouldGiveATrialOfMoreItsTime() {
    Trace trace = new Trace(4, 64).fail(4).until(100, 0.99, 4, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(32);

    trace.until(200, 0.99, 32, 0.1);

    assertThat(trace.setting.workers()).isEqualTo(4);
    assertThat(trace.batches).isEqualTo(1 + 10);
  }

  @Test
  void shouldRestWhereItTurns() {
    Trace trace = new Trace(4, 64).until(100, 0.99, 4, 0.1).until(100, 0, 10, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(15);

    trace.until(100, 0, 2, 0.1);

    String reason = "workers have no room for 87% of their time";
    trace.assertSetting(3, reason, 1 + 4 + 8 * 5);
  }

  @Test
  void shouldTryMoreAgainWhereTheConsumerHasNotWaitedMeanwhile() {
    Trace trace = new Trace(4, 64).until(100, 0.06, 4, 1).until(200, 0.06, 6, 1);
    assertThat(trace.setting.reason()).startsWith("back");

    trace.until(1 + 5, 100, 0, 4, 1).assertUnchanged();

    trace.until(100, 0.9, 4, 1);
    assertThat(trace.setting.workers()).as("%s", trace.setting).isGreaterThan(4);
    assertThat(trace.batches).isEqualTo(5);
  }

  @Test
  void shouldNotTryMoreAgainWhereFewerWereBetter() {
    Trace trace = new Trace(4, 64).fail(1).until(100, 0.99, 4, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(2);

    trace.until(90, 0.99, 2, 0.1);

    assertThat(trace.setting.workers()).as("%s", trace.setting).isEqualTo(1);
  }

  @Test
  void shouldTryMoreAgainAfterARestWhereThereCannotBeFewer() {
    Trace trace = new Trace(1, 64).until(100, 0.99, 1, 0.1).until(200, 0.99, 8, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(1);

    trace.until(100, 0.99, 1, 0.1);

    trace.assertSetting(8, "the consumer waits for 99% of its time", 1 + 8 * 5 + 5);
  }

  @Test
  void shouldSeldomLookWhetherFewerDoAsWellAsTheMost() {
    Trace trace = new Trace(4, 4).until(100, 0.99, 4, 0.1);

    trace.assertSetting(2, "whether fewer do as well", 4 + 64 * 4);
  }

  /** Each of the four workers may have been at another one of them. */
  @Test
  void shouldMeasureANewSettingBehindAllSmallBatchesThatWereBegun() {
    Trace trace = new Trace(4, 64);
    trace.samples = 1;
    trace.until(400, 1, 0, 4, 0.1);
    trace.inFlight = 9;
    trace.until(100, 0.99, 4, 0.1);
    int workers = trace.setting.workers();

    trace.until(50, 0.99, workers, 0.1);

    assertThat(trace.batches).as("%s", trace.setting).isEqualTo(4 + 5);
  }

  @Test
  void shouldForgetATrialOfMoreThanTheSystemGives() {
    Trace trace = new Trace(4, 64).until(100, 0.99, 4, 0.1);
    trace.until(3, 33, 0.99, 32, 0.1).assertUnchanged();

    trace.tuner.limit(6);
    trace.setting = trace.tuner.first();

    trace.until(33, 0.99, 6, 0.1).assertSetting(3, "whether fewer do as well", 8 + 64 * 8);
  }

  @ParameterizedTest
  @CsvSource({
    "300, 32, 9", // a span that differs, and one that is the new usual
    "33, 32, 33",
    "170, 32, 13", // two spans that differ on one side, and the new usual
    "120, 2, 41" // less than twice
  })
  void shouldForgetFailuresWhereTheWorkIsAnother(double millis, int workers, int batches) {
    Trace trace = new Trace(4, 64).fail(1).until(millis, 0.99, 4, 0.1);

    assertThat(trace.setting.workers()).as("%s", trace.setting).isEqualTo(workers);
    assertThat(trace.batches).isEqualTo(batches);
  }

  @Test
  void shouldNotTakeNoiseForOtherWork() {
    Trace trace = new Trace(4, 64).fail(1);
    for (int turn = 0; turn < 3; turn++) {
      trace.until(turn == 0 ? 5 : 4, 170, 0.99, 4, 0.1).assertUnchanged();
      trace.until(5, 100, 0.99, 4, 0.1).assertUnchanged();
    }
  }

  @Test
  void shouldLoseItsPatienceWithOtherWorkUnlessTheWorkChangesOften() {
    Trace trace = new Trace(4, 64).fail(6).until(300, 0.99, 4, 0.1);
    assertThat(trace.setting.workers()).isEqualTo(32);
    assertThat(trace.batches).isEqualTo(1 + 7 + 4);

    trace.until(600, 0.99, 32, 0.1);
    trace.until(30, 0.99, 4, 0.1);

    assertThat(trace.setting.workers()).isEqualTo(32);
    assertThat(trace.batches).as("spans of twice the length").isEqualTo(1 + 17 + 17);
  }

  @Test
  void shouldRestBeforeFewerAreTriedForOtherWork() {
    Trace trace = new Trace(4, 64).until(7, 40, 0, 4, 0.1);
    trace.until(8, 120, 0, 0.5, 0.1).assertUnchanged();

    trace.until(121, 0, 0.5, 0.1);

    assertThat(trace.setting.workers()).isEqualTo(1);
    assertThat(trace.batches).isEqualTo(7 * 4);
  }
}
