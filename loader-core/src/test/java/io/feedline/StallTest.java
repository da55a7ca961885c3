package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.Decoded;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loader's report of a stall whose cause is known. */
@Timeout(60)
class StallTest extends StallHarness {

  private static final int SAMPLES = 40 * BATCH;

  private final FakeMachine delays = new FakeMachine();

  private static void assertBlamed(Stalls stalls, Stalls.Cause cause, String stage) {
    assertThat(stalls.of(Stalls.Cause.START_UP).count()).isEqualTo(1);
    assertThat(stalls.total().count()).isEqualTo(SAMPLES / BATCH);
    assertThat(stalls.of(cause).count()).as(stalls::toString).isEqualTo(stalls.total().count() - 1);
    assertThat(stalls.worst()).hasValue(cause);
    assertThat(stalls.recent()).hasSize(32);
    assertThat(stalls.recent()).extracting(Stall::cause).containsOnly(cause);
    assertThat(stalls.recent()).extracting(Stall::stage).containsOnly(stage);
    assertThat(stalls.recent()).allMatch(stall -> stall.index().isEmpty());
  }

  private Dataset<Long> slowReads(long samples) {
    return Samples.numbers(samples, index -> work(3000));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameSlowReading(int workers) {
    try (DataLoader<Long> made = builder(slowReads(SAMPLES), workers).build()) {
      Stalls stalls = consume(made);
      assertBlamed(stalls, Stalls.Cause.READ, "reading");
      Stall last = stalls.recent().get(31);
      assertThat(last.batch()).isEqualTo(39);
      assertThat(last.epoch()).isZero();
      assertThat(last.detail()).isEqualTo("reading took 100% of the 12 ms that the batch took");
    }
  }

  @Test
  void shouldBlameSlowReadingOfAStream() {
    IterableDataset<Long> stream =
        (shard, epoch) ->
            SampleStream.of(
                LongStream.range(0, SAMPLES).peek(index -> work(3000)).boxed().iterator());
    assertBlamed(
        Samples.loader(stream, BATCH, 1)
            .prefetchNextEpoch(false)
            .stallThreshold(Duration.ofMillis(5))
            .clock(clock),
        Stalls.Cause.READ,
        "reading");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameSlowDecodingOrWriting(int workers) {
    Decoded decoded = new Decoded(() -> work(3000), () -> clock.passMicros(200));
    assertBlamed(builder(readFast(decoded), workers), Stalls.Cause.DECODE, "decoding");
    Decoded written = new Decoded(() -> clock.passMicros(200), () -> work(3000));
    assertBlamed(builder(readFast(written), workers), Stalls.Cause.WRITE, "writing");
  }

  private Dataset<TensorSource> readFast(TensorSource sample) {
    return Samples.numbers(SAMPLES, index -> clock.passMicros(100)).map(index -> sample);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameASlowStageByItsName(int workers) {
    Dataset<Long> numbers = Dataset.of(SAMPLES, index -> index);
    Dataset<Long> mapped =
        numbers
            .map("tokenize", Samples.after(index -> clock.passMicros(200)))
            .map("resize", Samples.after(index -> work(3000)));
    assertBlamed(builder(mapped, workers), Stalls.Cause.TRANSFORM, "resize");
    assertBlamed(
        builder(numbers, workers).batchTransform((batch, random) -> work(9000)),
        Stalls.Cause.BATCH_TRANSFORM,
        "batch transform");
    assertBlamed(
        builder(numbers, workers)
            .collator(
                (samples, batch) -> {
                  work(9000);
                  batch.values("n", samples);
                }),
        Stalls.Cause.COLLATE,
        "collating");
  }

  private void assertBlamed(DataLoaderBuilder<?> builder, Stalls.Cause cause, String stage) {
    try (DataLoader<?> made = builder.build()) {
      assertBlamed(consume(made), cause, stage);
    }
  }

  /** The others are so cheap that few of them are timed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameOneSlowSampleInAHundred(int workers) {
    assertSlowSamplesBlamed(workers, index -> "images/" + index + ".jpg", " (images/%d.jpg)");
  }

  @Test
  void shouldBlameASlowSampleThatTheDatasetDoesNotDescribe() {
    assertSlowSamplesBlamed(1, index -> null, "");
    assertSlowSamplesBlamed(
        1,
        index -> {
          throw new NoClassDefFoundError("org/example/Missing");
        },
        "");
  }

  private void workOnSlow(long index) {
    workOrPass(index % 100 == 37, 60_000, 1);
  }

  private void workOrPass(boolean slow, long work, long otherwise) {
    if (slow) {
      work(work);
    } else {
      clock.passMicros(otherwise);
    }
  }

  private void assertSlowSamplesBlamed(
      int workers, LongFunction<String> description, String described) {
    Dataset<Long> dataset =
        Samples.described(Samples.numbers(100 * 40, this::workOnSlow), description);
    try (DataLoader<Long> made = builder(dataset, workers).batchSize(10).build()) {
      Stalls stalls = consume(made);
      assertThat(stalls.total().count()).isEqualTo(40);
      assertThat(stalls.of(Stalls.Cause.SLOW_SAMPLE).count())
          .as(stalls::toString)
          .isGreaterThanOrEqualTo(39);
      for (Stall stall : stalls.recent()) {
        assertThat(stall.index().orElseThrow() % 100).isEqualTo(37);
        assertThat(stall.batch()).isEqualTo(stall.index().orElseThrow() / 10);
        assertThat(stall.stage()).isEqualTo("reading");
        long index = stall.index().orElseThrow();
        assertThat(stall.detail())
            .startsWith(
                "sample %d%s took 60 ms, most of it reading; others take "
                    .formatted(index, described.formatted(index)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameTheGarbageCollector(int workers) {
    assertOthersBlamed(
        Stalls.Cause.COLLECTOR,
        workers,
        delays::collect,
        "the garbage collector stopped all threads for 60 ms");
  }

  /** Time between the end of a wait and the taking of the batch does not explain the wait. */
  @Test
  void shouldNotBlameTheGarbageCollectorForAWaitThatWasOver() {
    try (DataLoader<Long> made =
        builder(slowReads(SAMPLES), 0).clock(clock, () -> 0, delays).build()) {
      Iterator<Batch> batches = made.iterator();
      while (batches.hasNext()) {
        delays.collect(60_000);
        batches.next().close();
      }
      assertBlamed(made.stats().stalls(), Stalls.Cause.READ, "reading");
    }
  }

  @Test
  void shouldNoticeThatTheProcessWasStopped() {
    assertOthersBlamed(
        Stalls.Cause.OTHER,
        1,
        delays::stop,
        "the process was stopped, or got no processor: the consumer woke up 60 ms late");
  }

  @Test
  void shouldNoticeWithoutWorkersThatTheProcessWasStopped() {
    Dataset<Long> dataset =
        Samples.numbers(
            40 * 100,
            index -> {
              clock.passMicros(3000);
              if (index % 100 == 37) {
                clock.passMicros(60_000);
                delays.stopWatched(60_000);
              }
            });
    try (DataLoader<Long> made =
        builder(dataset, 0)
            .batchSize(10)
            .stallThreshold(Duration.ofMillis(50))
            .clock(clock, () -> 0, delays)
            .build()) {
      Stalls stalls = consume(made);
      assertThat(stalls.total().count()).isEqualTo(40);
      assertThat(stalls.of(Stalls.Cause.OTHER).count()).as(stalls::toString).isEqualTo(40);
    }
  }

  private void assertOthersBlamed(
      Stalls.Cause cause, int workers, LongConsumer trouble, String detail) {
    Dataset<Long> dataset =
        Samples.numbers(
            40 * 100,
            index -> {
              workOnSlow(index);
              if (index % 100 == 37) {
                trouble.accept(60_000);
              }
            });
    try (DataLoader<Long> made =
        builder(dataset, workers).batchSize(10).clock(clock, () -> 0, delays).build()) {
      Stalls stalls = consume(made);
      assertThat(stalls.total().count()).isEqualTo(40);
      assertThat(stalls.of(cause).count()).as(stalls::toString).isEqualTo(40);
      assertThat(stalls.recent()).extracting(Stall::detail).containsOnly(detail);
      assertThat(stalls.recent()).allMatch(stall -> stall.index().isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldBlameThoseWhoHaveTheProcessors(int workers) {
    Stalls stalls = consumeQueueing(workers, 300, 2700);
    assertThat(stalls.of(Stalls.Cause.OTHER).count())
        .as(stalls::toString)
        .isEqualTo(SAMPLES / BATCH - 1);
    assertThat(stalls.recent())
        .extracting(Stall::detail)
        .containsOnly(
            "others had the processors, and workers queued for them for 87% of the 12.4 ms that the"
                + " batch took");
    LoaderStats.Stage reading = loader.stats().total().stage("reading").orElseThrow();
    assertThat(reading.queued()).isEqualTo(Duration.ofNanos(2_700_000L * SAMPLES));
  }

  /** Reading is longer for the queue, and decoding takes more of the time that is not queued. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldNotTakeAQueueForReading(int workers) {
    Stalls stalls = consumeQueueing(workers, 2000, 1000);
    assertThat(stalls.of(Stalls.Cause.TRANSFORM).count())
        .as(stalls::toString)
        .isEqualTo(SAMPLES / BATCH - 1);
  }

  private Stalls consumeQueueing(int workers, long work, long queue) {
    AtomicLong cpu = new AtomicLong();
    Dataset<Long> dataset =
        Samples.numbers(
                SAMPLES,
                index -> {
                  clock.passMicros(100 + queue);
                  delays.queue(queue);
                })
            .map(
                "resize",
                index -> {
                  cpu.addAndGet(1000 * work);
                  work(work);
                  return index;
                });
    try (DataLoader<Long> made = builder(dataset, workers).clock(clock, cpu::get, delays).build()) {
      return consume(made);
    }
  }

  /**
   * The consumer takes two batches at once, then none for long: the second could have been made
   * meanwhile, if there had been room for it.
   */
  @Test
  void shouldBlameTooLittleRoom() {
    Dataset<Long> dataset = Samples.numbers(80, i -> workOrPass(i % 2 == 1, 8000, 8000));
    try (DataLoader<Long> made = builder(dataset, 1).batchSize(1).prefetch(1).build()) {
      loader = made;
      BatchIterator epoch = loader.iterator();
      Samples.take(epoch, 2);
      while (epoch.hasNext()) {
        awaitIdleWorkers();
        clock.passMicros(50_000);
        Samples.take(epoch, 2);
      }
      Stalls stalls = loader.stats().stalls();
      // The first two came before anything was known.
      assertThat(stalls.of(Stalls.Cause.NO_ROOM).count()).as(stalls::toString).isEqualTo(39);
      assertThat(stalls.total().count()).isLessThanOrEqualTo(41);
      assertThat(stalls.recent().get(31).detail())
          .isEqualTo("workers had stood still for 32 ms; prefetch is 1, maxOpenBatches 2");
    }
  }

  @Test
  void shouldSeeNoStallWhereTheConsumerIsSlow() {
    Dataset<Long> dataset = Samples.numbers(SAMPLES, index -> clock.passMicros(3000));
    try (DataLoader<Long> made = builder(dataset, 1).build()) {
      BatchIterator epoch = made.iterator();
      while (epoch.hasNext()) {
        Threads.spinWhile(() -> made.stats().batchesReady() < 1);
        epoch.next().close();
        clock.passMicros(100_000);
      }
      assertThat(made.stats().stalls().total().count()).isZero();
      assertThat(made.stats().stalls()).hasToString("no stalls");
      assertThat(made.stats().total().waits().total()).isZero();
    }
  }

  /** Though workers had stood still before: room is not what was missing. */
  @Test
  void shouldBlameAStageThatHasBecomeSlow() {
    Dataset<Long> dataset =
        Samples.numbers(SAMPLES, index -> workOrPass(index >= SAMPLES / 2, 20_000, 1000));
    try (DataLoader<Long> made = builder(dataset, 1).prefetch(1).build()) {
      loader = made;
      BatchIterator epoch = loader.iterator();
      for (int batch = 0; batch < 20; batch++) {
        awaitIdleWorkers();
        clock.passMicros(50_000);
        epoch.next().close();
      }
      while (epoch.hasNext()) {
        epoch.next().close();
      }
      Stalls stalls = loader.stats().stalls();
      assertThat(stalls.total().count()).isEqualTo(20);
      assertThat(stalls.of(Stalls.Cause.READ).count()).as(stalls::toString).isEqualTo(20);
      assertThat(stalls.recent().get(0).detail())
          .isEqualTo(
              "reading took 100% of the 80 ms that the batch took, where it takes 4 ms as a rule");
    }
  }

  @Test
  void shouldKeepTheStallsOfAnEpochApart() {
    try (DataLoader<Long> made = builder(slowReads(8), 0).build()) {
      consume(made);
      consume(made);
      LoaderStats stats = loader.stats();
      assertThat(stats.stalls().total()).isEqualTo(new Stalls.Sum(4, Duration.ofMillis(48)));
      Stalls second = stats.epoch(1).orElseThrow().stalls();
      assertThat(second.total()).isEqualTo(new Stalls.Sum(2, Duration.ofMillis(24)));
      assertThat(second.recent()).extracting(Stall::epoch).containsExactly(1L, 1L);
      assertThat(second).hasToString("2 stalls, 24 ms: 1 reading (12 ms), 1 start-up (12 ms)");
      assertThat(stats.stalls().recent().get(0))
          .hasToString(
              "batch 0 of epoch 0 waited for 12 ms: start-up: the first batch of an iteration;"
                  + " reading took 100% of the 12 ms that the batch took");
    }
  }

  @Test
  void shouldBlameWhatWorkersShare() {
    // Else one worker's clock may pass many samples while the other has no processor.
    CyclicBarrier step = new CyclicBarrier(2);
    Dataset<Long> dataset =
        Samples.numbers(
            SAMPLES,
            index -> {
              step.await();
              work(10_000);
            });
    try (DataLoader<Long> made = builder(dataset, 2).prefetch(4).build()) {
      Stalls stalls = consume(made);
      Stalls.Sum startUp = stalls.of(Stalls.Cause.START_UP);
      Duration rest = stalls.total().waited().minus(startUp.waited());
      assertThat(stalls.of(Stalls.Cause.READ).waited()).isGreaterThan(rest.dividedBy(2));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldFindTheFirstSlowSampleThoughItWasNotMeasured(int workers) {
    Dataset<Long> dataset =
        Samples.numbers(
            4000,
            index -> {
              if (index == 3333) {
                Threads.named("feedline-slow-").stream()
                    .filter(worker -> worker != Thread.currentThread())
                    .forEach(worker -> awaitIn(worker, "awaitUninterruptibly"));
                awaitWaitingConsumer();
                clock.passMicros(300_000);
                awaitIn(consumer, "await");
              }
            });
    try (DataLoader<Long> made = builder(dataset, workers).name("slow").batchSize(10).build()) {
      assertThat(consume(made).recent())
          .anySatisfy(
              stall -> {
                assertThat(stall.cause()).isEqualTo(Stalls.Cause.SLOW_SAMPLE);
                assertThat(stall.index()).hasValue(3333);
                assertThat(stall.batch()).isEqualTo(333);
                assertThat(stall.detail())
                    .isEqualTo("sample 3333 was the last that was waited for");
              });
    }
  }
}
