package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.example.Longer;
import io.feedline.batch.Batch;
import io.feedline.batch.Decoded;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.internal.ReadMeter;
import io.feedline.sampler.BatchSampler;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.internal.MachineLoad;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures of where a loader's time went. With a {@link FakeClock} they are exact. */
@Timeout(60)
class LoaderStatsTest {

  private final FakeClock clock = new FakeClock();

  private <T> Transform<T, T> taking(long micros) {
    return Samples.after(sample -> clock.passMicros(micros));
  }

  private Dataset<Long> reading(long samples, LongUnaryOperator micros) {
    return Samples.numbers(samples, index -> clock.passMicros(micros.applyAsLong(index)));
  }

  private static Duration elapsed(DataLoader<?> loader, String stage) {
    return loader
        .stats()
        .total()
        .stage(stage)
        .map(LoaderStats.Stage::elapsed)
        .orElse(Duration.ZERO);
  }

  private Map<String, Double> stages(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.numWorkers(0).clock(clock).build()) {
      loader.forEach(Batch::close);
      return loader.stats().total().stages().stream()
          .collect(
              Collectors.toMap(LoaderStats.Stage::name, stage -> stage.elapsed().toNanos() / 1e6));
    }
  }

  private Map<String, Double> stages(Dataset<?> dataset, int batchSize) {
    return stages(DataLoader.builder(dataset).batchSize(batchSize));
  }

  @Test
  void shouldTellTheStagesOfItsWorkApart() {
    Dataset<TensorSource> dataset =
        reading(12, index -> 700)
            .map(taking(200))
            .map("resize", taking(5000))
            .map(
                "noise",
                (index, random) -> {
                  clock.passMicros(100);
                  return new Decoded(() -> {}, () -> clock.passMicros(3000));
                });
    try (DataLoader<TensorSource> loader =
        Samples.loader(dataset, 4, 0)
            .batchTransform((batch, random) -> clock.passMicros(50_000))
            .clock(clock)
            .build()) {
      loader.forEach(Batch::close);

      assertThat(elapsed(loader, "reading")).isEqualTo(Duration.ofNanos(12 * 700_000));
      assertThat(elapsed(loader, "transforming")).isEqualTo(Duration.ofNanos(12 * 200_000));
      assertThat(elapsed(loader, "resize")).isEqualTo(Duration.ofMillis(60));
      assertThat(elapsed(loader, "noise")).isEqualTo(Duration.ofNanos(12 * 100_000));
      assertThat(elapsed(loader, "writing")).isEqualTo(Duration.ofMillis(36));
      assertThat(elapsed(loader, "batch transform")).isEqualTo(Duration.ofMillis(150));
      LoaderStats.Epoch total = loader.stats().total();
      assertThat(total.stages())
          .extracting(LoaderStats.Stage::name)
          .containsExactly(
              "reading", "transforming", "writing", "batch transform", "resize", "noise");
      assertThat(total.elapsed()).isEqualTo(Duration.ofMillis(258));
      assertThat(total.waits().total()).as("the consumer did all of it").isEqualTo(total.elapsed());
      assertThat(total.waits().max()).isEqualTo(Duration.ofMillis(86));
      assertThat(total.waits().count()).isEqualTo(3);
      assertThat(total.workers().occupancy()).isEqualTo(1);
      assertThat(total.toString())
          .startsWith("all epochs: 3 batches, 12 samples, 0.0 MB read in 258 ms; reading 8.4 ms (")
          .endsWith(
              "workers 100% busy; 3 stalls, 258 ms: 2 batch transform (172 ms), 1 start-up (86"
                  + " ms)");
    }
  }

  /** As an image does, which decodes while it writes itself. */
  @Test
  void shouldTellDecodingFromWriting() {
    Decoded image = new Decoded(() -> clock.passMicros(3000), () -> clock.passMicros(500));
    assertThat(stages(Dataset.of(12, index -> image), 4))
        .containsEntry("decoding", 36.0)
        .containsEntry("writing", 6.0);
    Dataset<Long> inAStage =
        Dataset.of(4, index -> index)
            .map("thumbnail", Samples.after(index -> image.writeTo(ByteBuffer.allocate(3))));
    assertThat(stages(inAStage, 4)).containsEntry("thumbnail", 14.0).doesNotContainKey("decoding");
  }

  @Test
  void shouldCountACollatorOfListsAsCollating() {
    assertThat(stages(collated(8, 4, batch -> 9000))).containsEntry("collating", 18.0);
  }

  private DataLoaderBuilder<Long> collated(long samples, int batchSize, LongUnaryOperator micros) {
    long[] batches = {0};
    return DataLoader.builder(Dataset.of(samples, index -> index))
        .batchSize(batchSize)
        .collator(
            (some, batch) -> {
              clock.passMicros(micros.applyAsLong(batches[0]++));
              batch.values("n", some);
            });
  }

  @Test
  void shouldCountTheReadingBehindATransformAsReading() {
    Dataset<Long> slow = reading(4, index -> 1000);
    Dataset<Long> zipped =
        slow.map("double", index -> 2 * index)
            .zip(
                slow,
                (a, b) -> {
                  clock.passMicros(300);
                  return a + b;
                });
    assertThat(stages(zipped, 2))
        .containsEntry("reading", 8.0)
        .containsEntry("transforming", 1.2)
        .doesNotContainKey("double");
  }

  /**
   * Some batches are measured, and stand for the others: cheap ones, slower ones from some on, few.
   */
  @Test
  void shouldEstimateWhatCheapSamplesTake() {
    assertThat(stages(reading(200_000, index -> 3), 10).get("reading")).isEqualTo(600, within(6.0));
    assertThat(stages(reading(200_000, index -> index < 100_000 ? 2 : 20), 10).get("reading"))
        .isEqualTo(2_200, within(0.03 * 2_200));
    assertThat(stages(reading(100_000, index -> index % 97 == 50 ? 2_000 : 1), 10).get("reading"))
        .isEqualTo(1031 * 2 + 100, within(0.2 * 1031 * 2));
    assertThat(stages(collated(20_000, 1, batch -> batch < 10_000 ? 2 : 20)).get("collating"))
        .isEqualTo(220, within(0.03 * 220));
  }

  /** To measure a sample takes 2 us, and takes a 200th of the time. */
  @Test
  void shouldMeasureFewBatchesOfCheapSamplesAndAllOfSlowOnes() {
    assertThat(measured(400_000, 1)).isBetween(0.004, 0.008);
    assertThat(measured(400_000, 20)).isBetween(0.04, 0.06);
    assertThat(measured(4_000, 1000)).isEqualTo(1);
  }

  private double measured(int samples, long micros) {
    int[] timed = {0};
    Dataset<Long> dataset =
        Samples.numbers(
            samples,
            index -> {
              clock.passMicros(micros);
              timed[0] += ReadMeter.clock() == null ? 0 : 1;
            });
    try (DataLoader<Long> loader = Samples.loader(dataset, 100, 0).clock(clock).build()) {
      loader.forEach(Batch::close);
      return (double) timed[0] / samples;
    }
  }

  /**
   * The stages' processor time is that which the samples took, and so what their thread did, though
   * each look at a clock takes time as well.
   */
  @Test
  void shouldTellTheProcessorTimeThatSamplesTook() {
    long[] worked = {0};
    AtomicLong cpu = new AtomicLong();
    LongSupplier ticking =
        () -> {
          clock.pass(Duration.ofNanos(25));
          return clock.getAsLong();
        };
    LongSupplier cpuTicking =
        () -> {
          clock.pass(Duration.ofNanos(600));
          return cpu.addAndGet(600);
        };
    Dataset<Long> dataset =
        Samples.numbers(
                240_000,
                index -> { // Half of the samples wait for storage.
                  clock.passMicros(index % 2 == 0 ? 4 : 1);
                  worked[0] += 1000;
                  cpu.addAndGet(1000);
                })
            .map(
                "tokenize",
                index -> {
                  long micros = index % 5000 < 4000 ? 2 : 300;
                  clock.passMicros(micros);
                  worked[0] += 1000 * micros;
                  cpu.addAndGet(1000 * micros);
                  return index;
                });
    try (DataLoader<Long> loader =
        Samples.loader(dataset, 20, 0).clock(ticking, cpuTicking, MachineLoad.NONE).build()) {
      loader.forEach(Batch::close);
      LoaderStats.Epoch total = loader.stats().total();
      long measured = total.stages().stream().mapToLong(stage -> stage.cpu().toNanos()).sum();
      assertThat((double) measured / worked[0]).isBetween(0.9, 1.1);
      assertThat((double) measured)
          .as("that of the thread, the engine's part included")
          .isLessThan((double) cpu.get());
      LoaderStats.Stage reading = total.stage("reading").orElseThrow();
      assertThat((double) reading.cpu().toNanos() / reading.elapsed().toNanos())
          .isBetween(0.3, 0.6);
    }
  }

  @Test
  void shouldKeepTheFiguresOfEachOfTheLastEpochs() {
    Dataset<Long> dataset = reading(6, index -> 1000);
    try (DataLoader<Long> loader = Samples.loader(dataset, 3, 0).clock(clock).build()) {
      assertThat(loader.stats().epochs()).isEmpty();
      for (int epoch = 0; epoch < 30; epoch++) {
        loader.forEach(Batch::close);
        // Time between epochs belongs to no epoch.
        clock.pass(Duration.ofHours(1));
      }
      LoaderStats stats = loader.stats();
      assertThat(stats.epochs()).hasSize(17);
      assertThat(stats.epoch(12)).isEmpty();
      for (long number = 13; number < 30; number++) {
        LoaderStats.Epoch epoch = stats.epoch(number).orElseThrow();
        assertThat(epoch.batches()).isEqualTo(2);
        assertThat(epoch.samples()).isEqualTo(6);
        assertThat(epoch.elapsed()).isEqualTo(Duration.ofMillis(6));
        assertThat(epoch.waits().total()).isEqualTo(Duration.ofMillis(6));
        assertThat(epoch.stage("reading").orElseThrow().elapsed()).isEqualTo(Duration.ofMillis(6));
      }
      assertThat(stats.total().epoch()).isEmpty();
      assertThat(stats.total().samples()).isEqualTo(180);
      assertThat(stats.total().elapsed()).isEqualTo(Duration.ofMillis(180));
    }
  }

  /** The waits for a batch that the consumer left count for no other batch. */
  @Test
  void shouldNotChargeAnEpochWithAWaitInTheOneBefore() {
    Dataset<Long> dataset = reading(8, index -> 1000);
    try (DataLoader<Long> loader =
        Samples.loader(dataset, 4, 0).errorPolicy(ErrorPolicy.skip()).clock(clock).build()) {
      BatchIterator left = loader.iterator();
      try (Batch batch = left.next()) {
        assertThat(batch.size()).isEqualTo(4);
        assertThat(left.hasNext()).as("once it is made").isTrue();
      }
      loader.forEach(Batch::close);
      LoaderStats.Epoch epoch = loader.stats().epoch(1).orElseThrow();
      assertThat(epoch.elapsed()).isEqualTo(Duration.ofMillis(8));
      assertThat(epoch.waits().total()).isEqualTo(Duration.ofMillis(8));
      assertThat(epoch.waits().max()).isEqualTo(Duration.ofMillis(4));
      assertThat(epoch.slotsInUse()).isZero();
    }
  }

  @Test
  void shouldKeepTheFiguresOfTheLastPassOverAnEpoch() {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(6, index -> index)).numWorkers(0).build()) {
      for (int pass = 0; pass < 3; pass++) {
        loader.epoch(5).forEach(Batch::close);
      }
      loader.epoch(7).iterator().next().close();
      LoaderStats stats = loader.stats();
      assertThat(stats.epochs()).hasSize(2);
      assertThat(stats.epoch(5).orElseThrow().samples()).isEqualTo(6);
      assertThat(stats.epoch(7).orElseThrow().samples()).isEqualTo(1);
      assertThat(stats.samples()).isEqualTo(19);
    }
  }

  private static Dataset<Long> reporting(long samples, LongUnaryOperator bytes) {
    return Samples.numbers(samples, index -> ReadMeter.add(bytes.applyAsLong(index)));
  }

  /** Cheap samples are not timed, but their bytes count, each. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldCountTheBytesThatDatasetsReport(int workers) {
    Dataset<Long> dataset = reporting(1000, index -> index);
    try (DataLoader<Long> loader = Samples.loader(dataset, 7, workers).shuffle(true).build()) {
      loader.forEach(Batch::close);
      loader.forEach(Batch::close);
      long bytes = 1000 * 999 / 2;
      assertThat(loader.stats().total().bytesRead()).isEqualTo(2 * bytes);
      assertThat(loader.stats().epoch(1).orElseThrow().bytesRead()).isEqualTo(bytes);
    }
    ReadMeter.add(1); // The observer is gone.
  }

  /** A loader inside a dataset, on one thread: each counts its own. */
  @Test
  void shouldChargeBytesToTheLoaderThatReads() {
    try (DataLoader<Long> inside =
        DataLoader.builder(reporting(2, index -> 10)).numWorkers(0).build()) {
      Dataset<Long> outer =
          reporting(3, index -> 1)
              .map(
                  index -> {
                    inside.forEach(Batch::close);
                    ReadMeter.add(1);
                    return index;
                  });
      try (DataLoader<Long> outside = DataLoader.builder(outer).numWorkers(0).build()) {
        outside.forEach(Batch::close);
        assertThat(outside.stats().total().bytesRead()).isEqualTo(6);
        assertThat(inside.stats().total().bytesRead()).isEqualTo(60);
      }
    }
  }

  @Test
  void shouldCountTheBytesOfText(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("text");
    Files.writeString(file, "one\ntwo\nthree\n");
    try (DataLoader<String> loader = Samples.loader(IterableDataset.lines(file), 2, 2).build()) {
      loader.forEach(Batch::close);
      assertThat(loader.stats().total().bytesRead()).isEqualTo(14);
    }
  }

  @Test
  void shouldCountTheReadingOfAStreamAsReading() {
    IterableDataset<Long> stream =
        (shard, epoch) ->
            SampleStream.of(
                LongStream.range(0, 8).peek(index -> clock.passMicros(2000)).boxed().iterator());
    assertThat(stages(DataLoader.builder(stream.map("work", taking(500))).batchSize(4)))
        .containsEntry("reading", 16.0)
        .containsEntry("work", 4.0);
  }

  /** One worker reads and holds the lock until the other has come for it. */
  @Test
  void shouldTellHowLongWorkersWaitedForEachOtherToRead() {
    List<Thread> readers = Collections.synchronizedList(new ArrayList<>());
    IterableDataset<Long> stream =
        (shard, epoch) ->
            SampleStream.of(
                IntStream.range(0, 400)
                    .mapToObj(
                        index -> {
                          readers.add(Thread.currentThread());
                          LockSupport.parkNanos(200_000);
                          return (long) index;
                        })
                    .iterator());
    try (DataLoader<Long> loader = Samples.loader(stream, 20, 2).prefetchNextEpoch(false).build()) {
      loader.forEach(Batch::close);
      LoaderStats.Workers workers = loader.stats().total().workers();
      assertThat(readers.stream().distinct()).hasSize(2);
      assertThat(workers.waitedToRead()).isPositive();
      assertThat(workers.count()).isEqualTo(2);
    }
  }

  /** A dataset behind a lock looks like a storage, but for that. */
  @Test
  void shouldTellHowManyWorkersWaitedForEachOthersLocks() {
    Thread consumer = Thread.currentThread();
    FakeMachine delays = new FakeMachine();
    delays.contend(3);
    // By the second batch a worker has been seen, and by the third it has had time to meet a lock.
    Dataset<Long> dataset =
        Samples.numbers(
            3,
            index -> {
              StallHarness.awaitIn(consumer, "awaitReady");
              clock.passMicros(200_000);
            });
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset)
            .numWorkers(4)
            .prefetch(1)
            .prefetchNextEpoch(false)
            .clock(clock, () -> 0, delays)
            .build()) {
      loader.forEach(Batch::close);
      assertThat(loader.stats().total().workers().contention()).isEqualTo(0.75);
    }
  }

  /** The clock moves while the worker has nothing to do, and only then. */
  @ParameterizedTest
  @CsvSource({"2, 2, 70, 0", "8, 3, 0, 70"})
  void shouldTellWhyWorkersWaited(int prefetch, int ready, int forRoom, int forEpoch) {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(4, index -> index))
            .name("idle")
            .numWorkers(1)
            .prefetch(prefetch)
            .prefetchNextEpoch(false)
            .clock(clock)
            .build()) {
      BatchIterator epoch = loader.iterator();
      epoch.next().close();
      Threads.spinWhile(() -> loader.stats().batchesReady() < ready);
      StallHarness.awaitIn(Threads.named("feedline-idle-0").get(0), "awaitUninterruptibly");
      clock.passMicros(70_000);
      while (epoch.hasNext()) {
        epoch.next().close();
      }
      loader.forEach(Batch::close);
      LoaderStats.Workers workers = loader.stats().total().workers();
      assertThat(workers.waitedForRoom()).isEqualTo(Duration.ofMillis(forRoom));
      assertThat(workers.waitedForEpoch()).isEqualTo(Duration.ofMillis(forEpoch));
    }
  }

  /**
   * A worker asks the batch sampler under the engine's lock, for which the consumer then queues.
   */
  @Test
  void shouldCountTheWaitForTheEngine() throws Exception {
    Thread consumer = Thread.currentThread();
    CountDownLatch asked = new CountDownLatch(1);
    BatchSampler.BatchOrder order =
        Samples.batches(
            1,
            batch -> {
              if (Thread.currentThread() != consumer) {
                asked.countDown();
                StallHarness.awaitIn(consumer, "lock");
                clock.passMicros(700);
              }
              return 1;
            },
            (batch, row) -> row);
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(1, index -> index))
            .batchSampler(epoch -> order)
            .numWorkers(1)
            .prefetchNextEpoch(false)
            .clock(clock)
            .build()) {
      BatchIterator epoch = loader.iterator();
      asked.await();
      epoch.next().close();
      assertThat(loader.stats().waited()).isEqualTo(Duration.ofNanos(700_000));
    }
  }

  @Test
  void shouldTellHowManyBatchesWereReady() throws Exception {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(10, index -> index))
            .numWorkers(1)
            .prefetch(4)
            .prefetchNextEpoch(false)
            .build()) {
      BatchIterator epoch = loader.iterator();
      while (epoch.hasNext()) {
        int wanted = (int) Math.min(4, epoch.remaining().getAsLong());
        Threads.spinWhile(() -> loader.stats().batchesReady() < wanted);
        epoch.next().close();
      }
      LoaderStats.Epoch stats = loader.stats().total();
      // Seven times all four, then three, two and one.
      assertThat(stats.readiness()).isEqualTo((7 * 4 + 3 + 2 + 1) / 40.0, within(1e-9));
      assertThat(stats.slotsInUse()).isEqualTo((7 * 4 + 3 + 2 + 1) / 60.0, within(1e-9));
    }
  }

  /** In a dataset, and in compositions of either kind; the others' time is nameless. */
  @Test
  void shouldNameAUsersTransformByItsClass() {
    Transform<Long, Long> nameless = taking(100);
    Transform<Long, Long> own = new Longer(() -> clock.passMicros(3000));
    RandomTransform<Long, Long> random = new Longer.Randomly(() -> clock.passMicros(500));
    Dataset<Long> dataset =
        Dataset.of(4, index -> index)
            .map(own)
            .map(nameless.andThen(own).andThen(own).andThen(nameless))
            .map(random.andThen(nameless).andThen(own));
    assertThat(stages(dataset, 1))
        .isEqualTo(Map.of("Longer", 4.0 * 4 * 3, "Randomly", 2.0, "transforming", 1.2));
    // And by itself, where another applies it.
    RandomTransform<Long, Long> pure = RandomTransform.from(own);
    Dataset<Long> applied =
        Dataset.of(4, index -> index)
            .map(pure)
            .map(RandomApply.of(pure, 1))
            .map(RandomApply.of(random, 1))
            .map(RandomChoice.of(random))
            .map(RandomTransform.inRandomOrder(random, pure));
    assertThat(stages(applied, 1))
        .containsEntry("Longer", 4.0 * 3 * 3)
        .containsEntry("Randomly", 4.0 * 3 / 2);
  }

  @Test
  void shouldTellWorkFromWaiting() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Dataset<Long> dataset =
        Samples.numbers(60, index -> LockSupport.parkNanos(3_000_000))
            .map(
                "spin",
                index -> {
                  // On the processor, however many others want it.
                  long end = threads.getCurrentThreadCpuTime() + 3_000_000;
                  Threads.spinWhile(() -> threads.getCurrentThreadCpuTime() < end);
                  return index;
                });
    try (DataLoader<Long> loader = Samples.loader(dataset, 10, 1).build()) {
      loader.forEach(Batch::close);
      LoaderStats.Epoch stats = loader.stats().total();
      LoaderStats.Stage reading = stats.stage("reading").orElseThrow();
      LoaderStats.Stage spinning = stats.stage("spin").orElseThrow();
      assertThat(spinning.cpu()).isLessThanOrEqualTo(spinning.elapsed());
      assertThat(spinning.cpu()).isGreaterThan(reading.cpu());
      assertThat(reading.cpu()).isLessThan(reading.elapsed().dividedBy(2));
    }
  }

  @Test
  void shouldRefuseNamesThatSayNothing() {
    Dataset<Long> dataset = Dataset.of(1, index -> index);
    Refusals.assertRefused(() -> dataset.map(" ", index -> index), "must not be blank");
    Refusals.assertRefused(
        () -> IterableDataset.of(List.of(1L)).map("reading", index -> index),
        "'reading'",
        "choose another name than reading, transforming");
    assertThatThrownBy(() -> dataset.map(null, (index, random) -> index))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldCountMoreNamesThanItTellsApartAsTransforming() {
    Dataset<Long> dataset = Dataset.of(2, index -> index);
    for (int i = 0; i < 100; i++) {
      dataset = dataset.map("stage " + i, taking(1000));
    }
    assertThat(stages(dataset, 1))
        .hasSize(59)
        .containsEntry("transforming", 2.0 * 42)
        .containsEntry("stage 57", 2.0);
  }
}
