package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tuner's rules one by one, by what it is told of each batch. */
class WorkerTunerRulesTest {

  private static final int MANY = 2000;

  private static final class Told {
    private final WorkerTuner tuner;
    private Tuner.Setting setting;
    private long at;
    private double idle;
    private double cpuMicros;
    private int samples = 32;
    private int inFlight = 1;

    /** The batches up to the last change. */
    private int batches;

    Told(int processors, int most) {
      this(new WorkerTuner.Limits(most, 16, false, 2, Long.MAX_VALUE, processors), told -> {});
    }

    Told(WorkerTuner.Limits limits, Consumer<Told> first) {
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
     * Tells of batches, each of so many milliseconds, until the setting changes.
     *
     * @param waits the share of the time that the consumer waits
     * @param working workers that have room
     * @param processors that they keep busy
     */
    Told until(int most, double millis, double waits, double working, double processors) {
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

    Told until(double millis, double waits, double working, double processors) {
      return until(MANY, millis, waits, working, processors);
    }

    /**
     * Tells of trials that fail: more workers, fewer after a rest, more again, and so on.
     *
     * @param trials how many
     */
    Told fail(int trials) {
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
    Told told = new Told(4, 64).until(4, 100, waits, 4, processors);

    assertThat(told.setting.workers()).as("%s", told.setting).isEqualTo(workers);
  }

  @ParameterizedTest
  @CsvSource({"9, 4, 6, 56", "8, 4, 8, 0", "30, 0, 1, 100"})
  void shouldTakeFewerWhereManyHaveNoRoom(int most, double working, int workers, int idle) {
    Told told = new Told(4, most).until(100, 0.99, 4, 0.1);
    assertThat(told.setting.workers()).isEqualTo(most);

    told.until(40, 100, 0, working, 0.1);

    if (idle == 0) {
      told.assertUnchanged();
    } else {
      String reason = "workers have no room for %d%% of their time".formatted(idle);
      told.assertSetting(workers, reason, 5);
    }
  }

  @Test
  void shouldLeaveBusyProcessorsToFewerAtOnceWhereThereCannotBeMore() {
    Told told = new Told(4, 8).until(100, 0.99, 4, 0.1).until(50, 0.99, 8, 3.9);

    told.assertSetting(4, "all processors are busy", 6);
  }

  @Test
  void shouldNotCountWhatTheProcessorsDidBefore() {
    WorkerTuner.Limits limits = new WorkerTuner.Limits(64, 16, false, 2, Long.MAX_VALUE, 4);
    Told told = new Told(limits, before -> before.cpuMicros = 1e8).until(100, 0.5, 4, 1);

    told.assertSetting(12, "the consumer waits for 50% of its time", 4);
  }

  @Test
  void shouldWaitForSamples() {
    Told told = new Told(4, 64);
    told.samples = 0;
    told.until(100, 100, 0.5, 4, 1).assertUnchanged();
  }

  @Test
  void shouldTakeAWaitForNoLongerThanTheTime() {
    Told told = new Told(4, 64);
    told.until(100, 1.2, 4, 0.1).assertSetting(32, "the consumer waits for 100% of its time", 4);
  }

  @Test
  void shouldKnowEachPauseForOne() {
    Told told = new Told(4, 64);
    for (int pause = 0; pause < 2; pause++) {
      assertThat(told.take(100, 99, false)).isFalse();
      assertThat(told.take(400, 99, false)).isFalse();
    }
    assertThat(told.take(100, 99, false)).isFalse();
    assertThat(told.take(100, 99, false)).isTrue();

    assertThat(told.setting.reason()).isEqualTo("the consumer waits for 99% of its time");
  }

  @Test
  void shouldDoubleTheBatchesAheadWhereWorkersHaveNoRoom() {
    Told told = new Told(4, 64);
    assertThat(told.setting.prefetch()).isEqualTo(2);

    told.until(100, 0.5, 1, 0.1);
    assertThat(told.setting.prefetch()).isEqualTo(4);
    told.until(100, 0.5, 1, 0.1);
    assertThat(told.setting.prefetch()).isEqualTo(8);
    told.assertSetting(4, "the consumer waits for 50% of its time, and workers have no room", 5);

    told.until(100, 100, 0, 4, 0.1).assertUnchanged();
  }

  @Test
  void shouldPrepareMoreBatchesWhereTheyHaveBecomeSmall() {
    Told told = new Told(4, 64);
    told.samples = 1;

    told.until(100, 0, 4, 0.1);

    assertThat(told.setting.prefetch()).isEqualTo(4);
    assertThat(told.setting.reason()).isEqualTo("batches have become small");
  }

  @Test
  void shouldLeaveAnyPrefetchThatAUserHasSet() {
    WorkerTuner.Limits limits = new WorkerTuner.Limits(64, 9, true, 2, 1 << 20, 4);
    Told told = new Told(limits, before -> {});
    assertThat(told.setting.prefetch()).isEqualTo(9);

    told.until(100, 0.5, 4, 1);

    assertThat(told.setting.workers()).isEqualTo(12);
    assertThat(told.setting.prefetch()).isEqualTo(9);
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
    Told told = new Told(processors, most).until(100, 0.9, 4, 0.1);
    assertThat(told.setting.workers()).isEqualTo(most);

    told.until(5, millis, 0.9, most, 0.1);

    assertThat(told.setting.workers()).as("%s", told.setting).isEqualTo(kept ? most : 4);
  }

  /** Spans become longer, and there are more of them until fewer are tried. */
  @Test
  void shouldRestAfterAFailure() {
    Told told = new Told(4, 64).fail(1);
    told.assertSetting(4, "back: a sample takes 6.3 ms, and took 3.1 ms before", 5);

    told.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 8 * 5);
    told.until(200, 0.99, 2, 0.1).fail(1);
    told.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 32 * 20);
    for (int i = 0; i < 2; i++) {
      told.until(200, 0.99, 2, 0.1).fail(1);
      told.until(100, 0.99, 4, 0.1).assertSetting(2, "whether fewer do as well", 1 + 64 * 20);
    }
  }

  @Test
  void shouldEndATrialOfFewerEarlyWhereItIsFarSlower() {
    Told told = new Told(4, 64).fail(3).until(100, 0.99, 4, 0.1).until(200, 0.99, 2, 0.1);
    assertThat(told.setting.workers()).isEqualTo(4);
    assertThat(told.batches).isEqualTo(1 + 4);

    told.fail(1).until(100, 0.99, 4, 0.1).until(125, 0.99, 2, 0.1);
    assertThat(told.setting.workers()).isEqualTo(4);
    assertThat(told.batches).isEqualTo(1 + 16);
  }

  @Test
  void shouldGiveATrialOfMoreItsTime() {
    Told told = new Told(4, 64).fail(4).until(100, 0.99, 4, 0.1);
    assertThat(told.setting.workers()).isEqualTo(32);

    told.until(200, 0.99, 32, 0.1);

    assertThat(told.setting.workers()).isEqualTo(4);
    assertThat(told.batches).isEqualTo(1 + 10);
  }

  @Test
  void shouldRestWhereItTurns() {
    Told told = new Told(4, 64).until(100, 0.99, 4, 0.1).until(100, 0, 10, 0.1);
    assertThat(told.setting.workers()).isEqualTo(15);

    told.until(100, 0, 2, 0.1);

    String reason = "workers have no room for 87% of their time";
    told.assertSetting(3, reason, 1 + 4 + 8 * 5);
  }

  @Test
  void shouldTryMoreAgainWhereTheConsumerHasNotWaitedMeanwhile() {
    Told told = new Told(4, 64).until(100, 0.06, 4, 1).until(200, 0.06, 6, 1);
    assertThat(told.setting.reason()).startsWith("back");

    told.until(1 + 5, 100, 0, 4, 1).assertUnchanged();

    told.until(100, 0.9, 4, 1);
    assertThat(told.setting.workers()).as("%s", told.setting).isGreaterThan(4);
    assertThat(told.batches).isEqualTo(5);
  }

  @Test
  void shouldNotTryMoreAgainWhereFewerWereBetter() {
    Told told = new Told(4, 64).fail(1).until(100, 0.99, 4, 0.1);
    assertThat(told.setting.workers()).isEqualTo(2);

    told.until(90, 0.99, 2, 0.1);

    assertThat(told.setting.workers()).as("%s", told.setting).isEqualTo(1);
  }

  @Test
  void shouldTryMoreAgainAfterARestWhereThereCannotBeFewer() {
    Told told = new Told(1, 64).until(100, 0.99, 1, 0.1).until(200, 0.99, 8, 0.1);
    assertThat(told.setting.workers()).isEqualTo(1);

    told.until(100, 0.99, 1, 0.1);

    told.assertSetting(8, "the consumer waits for 99% of its time", 1 + 8 * 5 + 5);
  }

  @Test
  void shouldSeldomLookWhetherFewerDoAsWellAsTheMost() {
    Told told = new Told(4, 4).until(100, 0.99, 4, 0.1);

    told.assertSetting(2, "whether fewer do as well", 4 + 64 * 4);
  }

  /** Each of the four workers may have been at another one of them. */
  @Test
  void shouldMeasureANewSettingBehindAllSmallBatchesThatWereBegun() {
    Told told = new Told(4, 64);
    told.samples = 1;
    told.until(400, 1, 0, 4, 0.1);
    told.inFlight = 9;
    told.until(100, 0.99, 4, 0.1);
    int workers = told.setting.workers();

    told.until(50, 0.99, workers, 0.1);

    assertThat(told.batches).as("%s", told.setting).isEqualTo(4 + 5);
  }

  @Test
  void shouldForgetATrialOfMoreThanTheSystemGives() {
    Told told = new Told(4, 64).until(100, 0.99, 4, 0.1);
    told.until(3, 33, 0.99, 32, 0.1).assertUnchanged();

    told.tuner.limit(6);
    told.setting = told.tuner.first();

    told.until(33, 0.99, 6, 0.1).assertSetting(3, "whether fewer do as well", 8 + 64 * 8);
  }

  @ParameterizedTest
  @CsvSource({
    "300, 32, 9", // a span that differs, and one that is the new usual
    "33, 32, 33",
    "170, 32, 13", // two spans that differ on one side, and the new usual
    "120, 2, 41" // less than twice
  })
  void shouldForgetFailuresWhereTheWorkIsAnother(double millis, int workers, int batches) {
    Told told = new Told(4, 64).fail(1).until(millis, 0.99, 4, 0.1);

    assertThat(told.setting.workers()).as("%s", told.setting).isEqualTo(workers);
    assertThat(told.batches).isEqualTo(batches);
  }

  @Test
  void shouldNotTakeNoiseForOtherWork() {
    Told told = new Told(4, 64).fail(1);
    for (int turn = 0; turn < 3; turn++) {
      told.until(turn == 0 ? 5 : 4, 170, 0.99, 4, 0.1).assertUnchanged();
      told.until(5, 100, 0.99, 4, 0.1).assertUnchanged();
    }
  }

  @Test
  void shouldLoseItsPatienceWithOtherWorkUnlessTheWorkChangesOften() {
    Told told = new Told(4, 64).fail(6).until(300, 0.99, 4, 0.1);
    assertThat(told.setting.workers()).isEqualTo(32);
    assertThat(told.batches).isEqualTo(1 + 7 + 4);

    told.until(600, 0.99, 32, 0.1);
    told.until(30, 0.99, 4, 0.1);

    assertThat(told.setting.workers()).isEqualTo(32);
    assertThat(told.batches).as("spans of twice the length").isEqualTo(1 + 17 + 17);
  }

  @Test
  void shouldRestBeforeFewerAreTriedForOtherWork() {
    Told told = new Told(4, 64).until(7, 40, 0, 4, 0.1);
    told.until(8, 120, 0, 0.5, 0.1).assertUnchanged();

    told.until(121, 0, 0.5, 0.1);

    assertThat(told.setting.workers()).isEqualTo(1);
    assertThat(told.batches).isEqualTo(7 * 4);
  }
}
