package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tuner, on a model of a loader whose time is arithmetic. */
class WorkerTunerTest {

  private static final int PROCESSORS = 4;
  private static final long MEGABYTE = 1 << 20;

  /**
   * A loader as a tuner sees it: batches are made at an even rate by the workers that there are,
   * while there is room for them, and the consumer takes one after another.
   */
  private static class Model {
    private final WorkerTuner tuner;
    private final List<Tuner.Setting> changes = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom(7);
    private Tuner.Setting setting;

    // The work; times in microseconds.
    int batch = 32;
    double cpu;
    double latency;
    double consumer;

    /** Every so many batches the consumer takes the time of all of them, and otherwise none. */
    int burst = 1;

    /** The greatest rate of the storage, in samples a second. */
    double most = Double.MAX_VALUE;

    /** The share by which each worker beyond the processors slows a sample. */
    double crowding = 0.002;

    /** By how much a rate is now and then wrong. */
    double noise;

    /** For how many batches a rate is wrong in the same way. */
    int slow = 1;

    private double factor = 1;

    long slotBytes = MEGABYTE;

    /** Less than 1 where others want the processors, too. */
    double fairShare = 1;

    double now;
    double ready;
    double idle;
    double cpuUsed;
    long taken;
    double waited;
    private boolean firstOfEpoch = true;

    Model(WorkerTuner.Limits limits) {
      tuner = new WorkerTuner(limits, batch, () -> (long) (1000 * cpuUsed), () -> fairShare);
      setting = tuner.first();
    }

    Model() {
      this(limits(64, 16, false));
    }

    /** Samples a microsecond. */
    double rate(int workers) {
      double alone = workers / (cpu / fairShare + latency);
      double shared = cpu == 0 ? Double.MAX_VALUE : PROCESSORS * fairShare / cpu;
      double crowd = 1 + crowding * Math.max(0, workers - PROCESSORS);
      return Math.min(Math.min(alone, shared), most / 1e6) / crowd;
    }

    private void pass(double micros) {
      if (taken % slow == 0) {
        factor = 1 + noise * (2 * random.nextDouble() - 1);
      }
      double perBatch = rate(setting.workers()) * factor / batch;
      double room = setting.prefetch() - ready;
      double working = Math.min(micros, Math.max(0, room) / perBatch);
      ready += working * perBatch;
      idle += (micros - working) * setting.workers();
      double crowd = 1 + crowding * Math.max(0, setting.workers() - PROCESSORS);
      cpuUsed += working * perBatch * batch * cpu * crowd;
      now += micros;
    }

    void take() {
      taken++;
      pass(taken % burst == 0 ? consumer * burst : 0);
      double wait = 0;
      while (ready < 1 - 1e-9) {
        double left = (1 - ready) * batch / rate(setting.workers());
        pass(left);
        wait += left;
      }
      ready--;
      waited += wait;
      Tuner.Setting next =
          tuner.taken(
              new Tuner.Take(
                  (long) (1000 * now),
                  (long) (1000 * wait),
                  batch,
                  (long) (1000 * idle),
                  (int) Math.ceil(ready),
                  (int) ready,
                  slotBytes,
                  firstOfEpoch));
      firstOfEpoch = false;
      if (next != null) {
        setting = next;
        changes.add(next);
      }
    }

    /** Lets so many seconds pass. */
    Model run(double seconds) {
      double end = now + 1e6 * seconds;
      while (now < end) {
        take();
      }
      return this;
    }

    /** The best rate that any number of workers has, as a share of what was had for a while. */
    double shareOfBest(double seconds) {
      double best = 0;
      for (int workers = 1; workers <= 64; workers++) {
        best = Math.max(best, rate(workers));
      }
      best = consumer == 0 ? best : Math.min(best, batch / consumer);
      double from = now;
      long before = taken;
      run(seconds);
      return (taken - before) * batch / (now - from) / best;
    }

    @Override
    public String toString() {
      int known = changes.size();
      return setting + " after " + known + ": " + changes.subList(Math.max(0, known - 12), known);
    }
  }

  private static WorkerTuner.Limits limits(int workers, int prefetch, boolean fixed) {
    return new WorkerTuner.Limits(workers, prefetch, fixed, 2, 1024 * MEGABYTE, PROCESSORS);
  }

  @Test
  void shouldGrowToTheMostWhereSamplesAreWaitedFor() {
    Model model = new Model();
    model.latency = 20_000;
    model.run(30);
    assertThat(model.setting.workers()).as("%s", model).isEqualTo(64);
    assertThat(model.shareOfBest(60)).isGreaterThan(0.97);
    assertThat(model.changes)
        .extracting(Tuner.Setting::workers)
        .startsWith(32, 64)
        .allMatch(workers -> workers >= 32);
    assertThat(model.changes.get(0).reason()).isEqualTo("the consumer waits for 100% of its time");
  }

  @Test
  void shouldNotCompeteWithOthersForBusyProcessors() {
    Model model = new Model();
    model.cpu = 200;
    model.fairShare = 0.25;
    model.noise = 0.4;
    model.run(120);
    assertThat(model.changes).as("%s", model).isEmpty();
    model.latency = 20_000; // now it is storage
    model.run(60);
    assertThat(model.setting.workers()).as("%s", model).isGreaterThan(32);
  }

  @Test
  void shouldFindOneWorkerWhereOthersAreInItsWay() {
    Model model =
        new Model() {
          @Override
          double rate(int workers) {
            return 0.1 / (1 + 0.2 * (workers - 1));
          }
        };
    model.run(60);
    assertThat(model.setting.workers()).as("%s", model).isEqualTo(1);
    assertThat(model.shareOfBest(120)).isGreaterThan(0.95);
  }

  /** Storage that 20 workers use up, four processors, and a consumer that is slow. */
  @ParameterizedTest
  @CsvSource({"0, 20000, 1000, 0, 19, 32", "1000, 0, 1e9, 0, 4, 4", "1000, 0, 1e9, 100000, 1, 1"})
  void shouldFindTheWorkersThatAreOfUse(
      double cpu, double latency, double most, double consumer, int atLeast, int atMost) {
    Model model = new Model();
    model.cpu = cpu;
    model.latency = latency;
    model.most = most;
    model.consumer = consumer;
    model.run(60);
    assertThat(model.setting.workers()).as("%s", model).isBetween(atLeast, atMost);
    assertThat(model.shareOfBest(120)).isGreaterThan(0.95);
    // More are not even tried where the processors are busy.
    assertThat(model.changes.isEmpty()).isEqualTo(atLeast == PROCESSORS);
  }

  @Test
  void shouldKeepWhatASlowConsumerNeeds() {
    Model model = new Model();
    model.cpu = 1000;
    model.latency = 20_000; // a batch takes one worker 672 ms
    model.consumer = 50_000;
    model.run(120);
    assertThat(model.setting.workers()).as("%s", model).isBetween(14, 32);
    double waited = model.waited;
    int changes = model.changes.size();
    model.run(120);
    assertThat(model.waited - waited).isLessThan(0.05 * 120e6);
    assertThat(model.changes.size() - changes).isLessThanOrEqualTo(4);
  }

  @Test
  void shouldPrepareMoreAheadForAConsumerThatComesInBursts() {
    Model model = new Model();
    model.cpu = 1000; // 8 ms a batch with four workers
    model.consumer = 10_000;
    model.burst = 8;
    model.run(60);
    assertThat(model.setting.prefetch()).as("%s", model).isGreaterThanOrEqualTo(7);
    double waited = model.waited;
    model.run(60);
    assertThat(model.waited - waited).isLessThan(0.05 * 60e6);
  }

  @Test
  void shouldPrepareNoMoreAheadThanThereIsMemoryFor() {
    Model model = new Model();
    model.slotBytes = 200 * MEGABYTE; // five fit, of which the consumer may hold two
    model.cpu = 1000;
    model.consumer = 10_000;
    model.burst = 8;
    model.run(60);
    assertThat(model.changes)
        .as("%s", model)
        .isNotEmpty()
        .extracting(Tuner.Setting::prefetch)
        .allMatch(ahead -> ahead >= 2 && ahead <= 3);
    model.slotBytes = 400 * MEGABYTE;
    model.run(60);
    assertThat(model.setting.prefetch()).as("two always are").isEqualTo(2);
  }

  /** On a busy machine, two workers on two processors are what one would have set. */
  @Test
  void shouldNotBeTalkedOutOfTheProcessorsByNoise() {
    for (int seed = 0; seed < 20; seed++) {
      Model model = new Model();
      model.random = new SplittableRandom(seed);
      model.latency = 1000; // others have the rest of the processors
      model.most = 4000;
      model.noise = 0.5;
      model.slow = 40;
      model.run(60);
      double share = model.shareOfBest(240);
      assertThat(share).as("seed %d: %s", seed, model).isGreaterThan(0.8);
      assertThat(model.setting.workers()).as("seed %d: %s", seed, model).isGreaterThan(2);
    }
  }

  /**
   * Fast and slow in turns, a second each: a change for each turn would be as many as there are.
   */
  @Test
  void shouldNotFollowEachTurnOfAWorkloadThatOscillates() {
    Model model = new Model();
    model.cpu = 500;
    for (int turn = 0; turn < 300; turn++) {
      model.consumer = turn % 2 == 0 ? 0 : 30_000;
      model.run(1);
    }
    assertThat(model.changes.size()).as("%s", model).isLessThan(60);
  }

  private static double one(SplittableRandom random, double... of) {
    return of[random.nextInt(of.length)];
  }

  private static void change(int kind, SplittableRandom random, Model model) {
    switch (kind) {
      case 0 -> model.latency = 1000 * one(random, 5, 10, 20, 40, 80);
      case 1 -> model.consumer = 1000 * one(random, 0, 2, 5, 10, 20, 50, 100);
      case 2 -> model.most = one(random, Double.MAX_VALUE, 200, 500, 1000, 2000);
      case 3 -> {
        model.cpu = one(random, 1000, 2000, 4000);
        model.latency = 1000 * one(random, 0, 0, 1, 5, 20);
      }
      default -> model.fairShare = one(random, 1, 1, 0.5, 0.25);
    }
  }

  /** One change, or two within seconds; after a second, or when nothing has changed for long. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void shouldBeNearTheBestFixedNumberTwentySecondsAfterAnyChange(int kind) {
    List<String> missed = new ArrayList<>();
    for (int seed = 0; seed < Strength.of(20); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Model model = new Model();
      model.batch = (int) one(random, 8, 32, 128);
      model.noise = one(random, 0, 0.1, 0.3);
      model.cpu = 100;
      model.latency = 1000 * one(random, 5, 10, 20);
      model.consumer = 1000 * one(random, 0, 20);
      change(kind, random, model);
      model.run(one(random, 1, 5, 20));
      if (random.nextBoolean()) {
        change(kind, random, model);
        model.run(one(random, 3, 8));
      }
      change(kind, random, model);
      model.run(20);
      double share = model.shareOfBest(30);
      if (share < 0.9) {
        missed.add("seed %d: %.2f, %s".formatted(seed, share, model));
      }
    }
    assertThat(missed).isEmpty();
  }

  private static WorkerTuner tuner() {
    WorkerTuner tuner = new WorkerTuner(limits(64, 16, false), 32, () -> 0, () -> 1);
    assertThat(tuner.taken(new Tuner.Take(0, 0, 32, 0, 3, 0, MEGABYTE, true))).isNull();
    return tuner;
  }

  private static Tuner.Take take(long millis, long waited, long idle) {
    return new Tuner.Take(
        1_000_000 * millis, 1_000_000 * waited, 32, 1_000_000 * idle, 3, 0, MEGABYTE, false);
  }

  /** Those that are done when the setting changes, and one under way, and four are a span. */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 3", "3, 3"})
  void shouldMeasureANewSettingByItsOwnBatches(int ready, int ofBoth) {
    WorkerTuner tuner = tuner();
    List<Integer> changedAt = new ArrayList<>();
    for (int batch = 1; changedAt.size() < 2; batch++) {
      long waited = changedAt.isEmpty() ? 100 : 50;
      Tuner.Take take =
          new Tuner.Take(
              100_000_000L * batch, 1_000_000 * waited, 32, 0, 3, ready, MEGABYTE, false);
      if (tuner.taken(take) != null) {
        changedAt.add(batch);
      }
    }
    assertThat(changedAt).containsExactly(4, 4 + ofBoth + 4);
  }

  /** One batch may take a single worker seconds. */
  @Test
  void shouldNotWaitForFurtherBatchesWhereOneHasTakenLong() {
    assertThat(tuner().taken(take(999, 999, 0))).isNull();
    assertThat(tuner().taken(take(1000, 1000, 0)).workers()).isEqualTo(32);
  }

  @Test
  void shouldNotCountThatWorkersHadNoRoomInAPause() {
    WorkerTuner tuner = tuner();
    assertThat(tuner.taken(take(500, 500, 0))).isNull();
    assertThat(tuner.taken(take(5800, 300, 20_000))).isNull();
    Tuner.Setting next = tuner.taken(take(6300, 500, 20_000));
    assertThat(next.reason()).isEqualTo("the consumer waits for 100% of its time");
    assertThat(next.workers()).isEqualTo(32);
  }

  @Test
  void shouldNotTakeAPauseForASlowConsumer() {
    Model model = new Model();
    model.latency = 20_000;
    model.consumer = 5000;
    model.run(30);
    assertThat(model.setting.workers()).isEqualTo(64);
    model.changes.clear();
    for (int pause = 0; pause < 6; pause++) {
      model.consumer = 5e6;
      model.take();
      model.consumer = 5000;
      model.run(1);
    }
    assertThat(model.changes).as("%s", model).isEmpty();
    model.consumer = 5e6;
    model.run(600);
    assertThat(model.setting.workers()).as("%s", model).isLessThan(8);
  }

  @Test
  void shouldBeginWithAsManyWorkersAsThereMayBe() {
    assertThat(new Model(limits(2, 16, false)).setting.workers()).isEqualTo(2);
    assertThat(new Model(limits(64, 16, false)).setting.workers()).isEqualTo(4);
    WorkerTuner.Limits one = new WorkerTuner.Limits(64, 16, false, 2, MEGABYTE, 1);
    assertThat(new Model(one).setting.workers()).isEqualTo(1);
  }

  @Test
  void shouldPrepareTwoSamplesOfEachWorkerAheadWhereBatchesAreSmall() {
    Model model = new Model(limits(64, 129, false));
    model.batch = 1;
    model.latency = 20_000;
    model.run(60);
    assertThat(model.setting.workers()).as("%s", model).isEqualTo(64);
    assertThat(model.setting.prefetch()).isBetween(100, 129);
  }
}
