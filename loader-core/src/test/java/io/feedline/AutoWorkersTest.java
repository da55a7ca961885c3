package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.internal.Stages;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.internal.BatchTaken;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.LoaderCounters;
import io.feedline.stats.internal.StallDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loaders whose number of workers changes while they run. */
@Timeout(120)
class AutoWorkersTest {

  private static final int EPOCHS = Integer.getInteger("stress.epochs", Strength.of(1000));

  private final FakeClock clock = new FakeClock();

  private static DataLoaderBuilder<Probe> indexed() {
    return DataLoader.builder(Probes.augmented(100)).shuffle(true).seed(3).batchSize(7);
  }

  /** All but one of the workers go to sleep and are woken at nearly every batch. */
  @Test
  void shouldNeverSleepWhileThereIsWork() {
    Tuner turns =
        Tuners.of(
            new Tuner.Setting(1, 1, "the first turn"),
            taken -> {
              int turn = taken % 3;
              return new Tuner.Setting(turn == 0 ? 8 : turn, 1 + taken % 2, "turn " + taken);
            });
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(24))
            .name("turns")
            .batchSize(2)
            .autoWorkers()
            .tuner(turns)
            .build()) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        BatchIterator batches = loader.iterator();
        int taken = 0;
        // Some are left early, and the next one has been begun or not.
        while (batches.hasNext() && (epoch % 3 != 0 || taken < epoch % 13)) {
          try (Batch batch = batches.next()) {
            assertThat(Probes.verify(batch)).containsExactly(2L * taken, 2L * taken + 1);
            taken++;
          }
        }
        assertThat(taken).isEqualTo(epoch % 3 == 0 ? Math.min(12, epoch % 13) : 12);
      }
      assertThat(Threads.named("feedline-turns")).hasSize(8);
    }
    assertThat(Threads.named("feedline-turns")).isEmpty();
  }

  @Test
  void shouldStartThreadsWhenTheyAreNeeded() {
    Tuner tuner =
        Tuners.becoming(
            new Tuner.Setting(2, 2, "the beginning"), 3, new Tuner.Setting(5, 4, "a trial"));
    try (DataLoader<Probe> loader = indexed().name("later").autoWorkers().tuner(tuner).build()) {
      assertThat(Threads.named("feedline-later")).isEmpty();
      BatchIterator batches = loader.iterator();
      Samples.take(batches, 2);
      assertThat(Threads.named("feedline-later")).hasSize(2);
      batches.next().close();
      assertThat(Threads.named("feedline-later")).hasSize(5);
      LoaderStats.Tuning tuning = loader.stats().tuning();
      assertThat(tuning.workers()).isEqualTo(5);
      assertThat(tuning.prefetch()).isEqualTo(4);
      assertThat(tuning)
          .hasToString(
              "5 workers, prefetch 4; 1 change, the last:\n"
                  + "  batch 2 of epoch 0: 5 workers, prefetch 4: a trial");
    }
  }

  /** Those that are too many rest: only two samples are ever made at once. */
  @Test
  void shouldLetNoMoreWorkersWorkThanThereAre() {
    AtomicInteger working = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Dataset<Long> dataset =
        Samples.numbers(
            2000,
            index -> {
              if (index >= 400) {
                most.accumulateAndGet(working.incrementAndGet(), Math::max);
                LockSupport.parkNanos(10_000);
                working.decrementAndGet();
              }
            });
    Tuner tuner =
        Tuners.becoming(
            new Tuner.Setting(8, 4, "the beginning"), 5, new Tuner.Setting(2, 4, "fewer"));
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset).batchSize(10).autoWorkers().tuner(tuner).build()) {
      loader.forEach(Batch::close);
      assertThat(loader.stats().tuning().workers()).isEqualTo(2);
    }
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void shouldRelateItsFiguresToTheWorkersThatThereAre() {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(1000)).autoWorkers().tuner(Tuners.always(3, 4)).build()) {
      BatchIterator batches = loader.iterator();
      for (int i = 0; i < 10; i++) {
        Threads.spinWhile(() -> loader.stats().batchesReady() < 4);
        batches.next().close();
      }
      LoaderStats.Epoch total = loader.stats().total();
      assertThat(total.workers().count()).isEqualTo(3);
      assertThat(total.readiness()).isEqualTo(1);
      assertThat(total.slotsInUse()).isEqualTo(4 / 6.0);
      assertThat(loader.stats().tuning()).hasToString("3 workers, prefetch 4");
    }
  }

  @Test
  void shouldCallOneWorkerBusyThatIsOneOfMany() {
    Dataset<Long> dataset = Samples.numbers(200, index -> clock.passMicros(1000));
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset)
            .batchSize(4)
            .autoWorkers()
            .tuner(Tuners.always(1, 1))
            .clock(clock)
            .build()) {
      loader.forEach(Batch::close);
      LoaderStats.Workers workers = loader.stats().total().workers();
      assertThat(workers.count()).isEqualTo(1);
      assertThat(workers.occupancy()).isGreaterThan(0.9);
    }
  }

  /** The clock moves only while the consumer is away and no worker has anything to do. */
  @Test
  void shouldTakeFewerWorkersForASlowConsumer() {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(4000))
            .name("slow")
            .batchSize(4)
            .autoWorkers()
            .tuner(
                new WorkerTuner(
                    new WorkerTuner.Limits(64, 16, false, 2, Long.MAX_VALUE, 4),
                    4,
                    () -> 0,
                    () -> 1))
            .clock(clock)
            .build()) {
      BatchIterator batches = loader.iterator();
      for (int i = 0; i < 200; i++) {
        batches.next().close();
        Threads.spinWhile(
            () ->
                loader.stats().batchesReady() < loader.stats().tuning().prefetch()
                    || Threads.named("feedline-slow").stream()
                        .anyMatch(thread -> thread.getState() != Thread.State.WAITING));
        clock.pass(Duration.ofMillis(100));
      }
      LoaderStats.Tuning tuning = loader.stats().tuning();
      assertThat(tuning.workers()).as(tuning::toString).isEqualTo(1);
      assertThat(tuning.changes().get(0).reason())
          .as("all of it, but for a worker that waits for a lock, or has not begun")
          .matches("workers have no room for (100|[5-9][0-9])% of their time");
    }
  }

  @Test
  void shouldSayWhatThereMayBe() {
    int processors = Runtime.getRuntime().availableProcessors();
    try (DataLoader<Probe> loader = indexed().autoWorkers().build()) {
      LoaderOptions<Probe> options = loader.options();
      assertThat(options.autoWorkers()).isTrue();
      assertThat(options.numWorkers()).isEqualTo(Math.max(64, 4 * processors));
      assertThat(options.prefetch()).isGreaterThanOrEqualTo(16);
      assertThat(loader).hasToString("DataLoader(Dataset.of(100), batchSize=7, numWorkers=auto)");
      assertThat(loader.stats().tuning().workers()).isBetween(1, 4);
      assertThat(loader.stats().tuning().prefetch()).isEqualTo(2);
    }
    try (DataLoader<Probe> loader = indexed().autoWorkers(3).prefetch(5).build()) {
      assertThat(loader.options().numWorkers()).isEqualTo(3);
      assertThat(loader.options().prefetch()).isEqualTo(5);
      assertThat(loader.stats().tuning().prefetch()).isEqualTo(5);
    }
    try (DataLoader<Probe> loader = indexed().numWorkers(2).build()) {
      assertThat(loader.options().autoWorkers()).isFalse();
      assertThat(loader.stats().tuning()).hasToString("2 workers, prefetch 2");
    }
  }

  @Test
  void shouldReplayAsManyBatchesAsAreReallyPrepared() {
    try (DataLoader<Probe> loader =
            indexed().autoWorkers().tuner(Tuners.always(2, 3)).maxOpenBatches(2).build();
        DataLoader<Probe> free = loader.replay()) {
      long[] firstRows = new long[10];
      int i = 0;
      for (Batch batch : free) {
        try (batch) {
          if (i < firstRows.length) {
            firstRows[i++] = batch.indices()[0];
          }
        }
      }
      assertThat(Arrays.stream(firstRows).distinct()).hasSize(5);
      assertThat(free.options().autoWorkers()).isFalse();
    }
  }

  @Test
  void shouldTakeNoMoreMemoryThanAnAllocatorHasOfItsKind() {
    HostAllocator small =
        new HostAllocator() {
          @Override
          public HostMemory allocate(int bytes) {
            return HostAllocator.direct().allocate(bytes);
          }

          @Override
          public long budget() {
            return 12_345;
          }
        };
    assertThat(bytes(indexed().allocator(small))).isEqualTo(12_345);
    assertThat(bytes(indexed().prefetchBytes(99))).isEqualTo(99);
    assertThat(bytes(indexed())).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
  }

  private static long bytes(DataLoaderBuilder<Probe> builder) {
    try (DataLoader<Probe> loader = builder.autoWorkers().build()) {
      return WorkerTuner.Limits.of(loader.options(), false, Runtime.getRuntime()).bytes();
    }
  }

  private final List<Long> idle = new ArrayList<>();

  private final Tuner listening =
      new Tuner() {
        @Override
        public Setting first() {
          return new Setting(2, 4, "the first");
        }

        @Override
        public Setting taken(Take take) {
          idle.add(take.idle());
          return null;
        }

        @Override
        public void limit(int workers) {}
      };

  @Test
  void shouldAddTheTimesOfAllWorkersWithoutRoom() {
    LoaderClock clock = new LoaderClock(() -> 0);
    try (DataLoader<Long> loader = DataLoader.builder(Dataset.of(8, index -> index)).build()) {
      Tuning tuning =
          new Tuning(
              loader.options(),
              listening,
              new StallDetector(1, 2, Long.MAX_VALUE, clock),
              new LoaderCounters(new Stages()));
      tuning.rest(100);
      tuning.rest(110);
      take(tuning, clock, 130);
      tuning.resume(140);
      take(tuning, clock, 160);
      tuning.resume(170);
      take(tuning, clock, 1000);
    }
    assertThat(idle).containsExactly(10L + 2 * 20, 10L + 2 * 30 + 20, 10L + 2 * 30 + 30);
  }

  private static void take(Tuning tuning, LoaderClock clock, long at) {
    BatchTimes times = new BatchTimes(null, clock, 0);
    FinishedBatch batch = new FinishedBatch(null, 8, 8, 0, false, false, times);
    assertThat(tuning.taken(batch, new BatchTaken(at, 0, true, 1, 1, 2, -1, 4, 4), 1, 1, 0))
        .isFalse();
  }
}
