package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions of threads, and of user code at awkward places, that must not harm a loader. */
@Timeout(60)
class LoaderConcurrencyTest {

  @Test
  void shouldWakeAConsumerWhoseEpochIsLeftByAnother() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Dataset<Probe> dataset =
        Samples.probes(
            10,
            index -> {
              making.countDown();
              release.await();
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 10, 1)
            // Otherwise a consumer that waits looks around by itself now and then.
            .stallThreshold(Duration.ofDays(1))
            .clock(System::nanoTime)
            .build()) {
      LoaderState start = loader.state();
      BatchIterator iterator = loader.iterator();
      FutureTask<Throwable> outcome = new FutureTask<>(() -> catchThrowable(iterator::next));
      Thread consumer = new Thread(outcome, "consumer");
      consumer.start();
      making.await();
      Threads.spinWhile(() -> !loader.engine().consumerWaits());
      loader.resume(start);
      assertThat(outcome.get())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("epoch 0 is over");
      release.countDown();
    }
  }

  /** As long as there is one to open the next batch and one for each row, others may sleep. */
  @Test
  void shouldWakeNoMoreWorkersThanASmallBatchNeeds(@TempDir Path directory) throws IOException {
    int workers = 16;
    int batches = 200;
    Path file = directory.resolve("few.jfr");
    try (Recording recording = new Recording();
        DataLoader<Probe> loader =
            DataLoader.builder(Probes.dataset(batches)).name("few").numWorkers(workers).build()) {
      recording.enable("io.feedline.Work");
      recording.start();
      for (Batch batch : loader) {
        batch.close();
        Threads.spinWhile(
            () ->
                Threads.named("feedline-few").stream()
                    .anyMatch(thread -> thread.getState() != Thread.State.WAITING));
      }
      recording.dump(file);
    }
    long woken =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("io.feedline.Work"))
            .filter(event -> event.getString("stage").startsWith("waits"))
            .count();
    // One where a batch is taken, one where it is closed, one for its row where it is opened; and
    // all where the epoch begins, where the next one does, and at the end.
    assertThat(woken).isBetween((long) workers, 3L * batches + 4L * workers);
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldNotLetOneSamplesInterruptFailTheNext() {
    Dataset<Probe> dataset =
        Samples.probes(
            30,
            index -> {
              Samples.failIf(index == 3, new InterruptedException("stray"));
              if (index == 13) {
                Thread.currentThread().interrupt();
              }
              Samples.failIf(index % 10 > 3 && Thread.interrupted(), "interrupted by another");
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 10, 1).errorPolicy(ErrorPolicy.skip()).build()) {
      assertThat(Probes.flat(Probes.indices(loader))).hasSize(29).doesNotContain(3);
      assertThat(loader.quarantine().indices()).containsExactly(3);
    }
  }

  @Test
  void shouldCollateWithoutTheInterruptThatASampleLeftBehind() {
    Dataset<Probe> dataset = Samples.probes(10, index -> Thread.currentThread().interrupt());
    ListCollator<Probe> collator =
        (samples, batch) ->
            batch.values("interrupted", List.of(Thread.currentThread().isInterrupted()));
    try (DataLoader<Probe> loader = Samples.loader(dataset, 10, 1).collator(collator).build()) {
      assertThat(Probes.each(loader, batch -> batch.values("interrupted")))
          .isEqualTo(List.of(List.of(false)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldGoOnAfterAFailureThatCannotBeDescribed(int workers) {
    OutOfMemoryError failure = new OutOfMemoryError("made up");
    Dataset<Probe> dataset =
        Samples.described(
            Samples.probes(
                40,
                index -> {
                  Samples.failIf(index == 5 || index == 15, failure);
                  Samples.failIf(index == 25, "cannot be read");
                }),
            index -> {
              throw index == 5 ? failure : new NoClassDefFoundError("org/example/Missing");
            });
    try (DataLoader<Probe> loader = Samples.loader(dataset, 10, workers).build()) {
      BatchIterator iterator = loader.iterator();
      for (int batch = 0; batch < 3; batch++) {
        assertThatThrownBy(iterator::next)
            .isInstanceOf(LoaderException.class)
            .hasCauseInstanceOf(batch < 2 ? OutOfMemoryError.class : IOException.class);
      }
      assertThat(Probes.verify(iterator.next())).startsWith(30);
    }
  }

  @Test
  @ExpectedLog("could not be given back")
  void shouldNotWaitForAMemoryThatCannotBeGivenBack() {
    HostAllocator broken =
        bytes -> {
          HostAllocator.HostMemory memory = HostAllocator.direct().allocate(bytes);
          return Samples.memory(
              memory::buffer,
              () -> {
                memory.close();
                throw new IllegalStateException("the driver has gone");
              });
        };
    // Batches that grow, so that memory is given back under way.
    ListCollator<Probe> growing =
        (samples, batch) -> {
          int length = (int) samples.get(0).index() + 1;
          batch.tensor("a", DType.INT64, Shape.of(length));
          batch.tensor("b", DType.INT64, Shape.of(length));
        };
    DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(100), 5, 2).collator(growing).allocator(broken).build();
    assertThat(Probes.each(loader, Batch::number)).hasSize(20);
    loader.close();
    assertThat(loader.stats().hostBytes()).isZero();
    assertThat(Threads.named("feedline-" + loader.options().name())).isEmpty();
  }

  @Test
  void shouldDeliverWhileTheOrderOfTheNextEpochIsMade() {
    Gate ordering = new Gate();
    Gate consumed = new Gate();
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(40), 10, 2)
            .prefetch(2)
            .sampler(
                epoch -> {
                  if (epoch == 1) {
                    ordering.open();
                    consumed.pass();
                  }
                  return Order.sequential(40);
                })
            .build()) {
      BatchIterator iterator = loader.iterator();
      Samples.take(iterator, 3);
      ordering.pass();
      assertThat(Probes.verify(iterator.next())).startsWith(30);
      assertThat(loader.stats().batches()).isEqualTo(4);
      consumed.open();
      assertThat(Probes.flat(Probes.indices(loader))).hasSize(40).isSorted();
    }
  }

  @Test
  void shouldStillResumeAfterTheFirstAttemptFailed() {
    AtomicBoolean failing = new AtomicBoolean();
    DataLoaderBuilder<Probe> builder =
        DataLoader.builder(Probes.dataset(40))
            .batchSize(10)
            .sampler(
                epoch ->
                    new Order() {
                      @Override
                      public long size() {
                        if (failing.compareAndSet(true, false)) {
                          throw new IllegalStateException("the list of files is away");
                        }
                        return 40;
                      }

                      @Override
                      public long indexAt(long position) {
                        return position;
                      }
                    });
    LoaderState state = Samples.stateAfter(builder.build(), 2);
    try (DataLoader<Probe> second = builder.build()) {
      second.resume(state);
      failing.set(true);
      assertThatThrownBy(second::iterator).hasMessage("the list of files is away");
      assertThat(Probes.flat(Probes.indices(second))).hasSize(20).startsWith(20);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldNotDeliverSamplesFromElsewhereWhenTheirPlaceIsNotReached(int workers) {
    AtomicReference<Error> failNextRead = new AtomicReference<>();
    IterableDataset<Probe> shards =
        IterableDataset.of(
            () ->
                LongStream.range(0, 100)
                    .mapToObj(
                        index -> {
                          Error failure = failNextRead.getAndSet(null);
                          if (failure != null) {
                            throw failure;
                          }
                          return Probes.probe(index);
                        })
                    .iterator());
    LoaderState state = Samples.stateAfter(DataLoader.builder(shards).batchSize(10).build(), 2);
    try (DataLoader<Probe> second = Samples.loader(shards, 10, workers).build()) {
      second.resume(state);
      failNextRead.set(new OutOfMemoryError("made up"));
      assertThat(Samples.story(second, Batch::toString, e -> e.getCause().toString()))
          .containsExactly("java.lang.OutOfMemoryError: made up");
    }
  }

  @Test
  void shouldCloseOnceForManyThreads() throws Exception {
    DataLoader<Probe> loader = Samples.loader(Probes.dataset(100_000), 10, 3).build();
    Batch open = loader.iterator().next();
    Together.inEightThreads(
        thread -> {
          AutoCloseable closed = thread % 2 == 0 ? loader : open;
          closed.close();
          return null;
        });
    assertThat(loader.stats().hostBytes()).isZero();
    assertThat(loader.stats().batchesOpen()).isZero();
  }

  @Test
  void shouldLetGoOfASlotsMemoryBeforeItTakesMore() {
    // The second batch is larger; its memory may be all there is.
    Dataset<long[]> dataset = Dataset.of(2, index -> new long[index == 0 ? 100 : 100_000]);
    List<WeakReference<ByteBuffer>> given = new ArrayList<>();
    AtomicBoolean freed = new AtomicBoolean();
    HostAllocator allocator =
        bytes -> {
          if (!given.isEmpty()) {
            freed.set(Garbage.makes(() -> given.get(0).refersTo(null)));
          }
          AtomicReference<ByteBuffer> buffer =
              new AtomicReference<>(ByteBuffer.allocateDirect(bytes));
          given.add(new WeakReference<>(buffer.get()));
          return Samples.memory(buffer::get, () -> buffer.set(null));
        };
    try (DataLoader<long[]> loader =
        DataLoader.builder(dataset).numWorkers(0).maxOpenBatches(1).allocator(allocator).build()) {
      loader.forEach(Batch::close);
    }
    assertThat(given).hasSize(2);
    assertThat(freed).isTrue();
  }

  /** None of them ends before all are interrupted. */
  @Test
  void shouldInterruptAllBeforeItWaitsForOne() {
    CountDownLatch begun = new CountDownLatch(6);
    CountDownLatch interrupted = new CountDownLatch(6);
    Workers some = new Workers("some");
    Workers others = new Workers("others");
    for (Workers each : new Workers[] {some, others}) {
      each.start(
          3,
          number -> {
            begun.countDown();
            awaitInterrupt();
            interrupted.countDown();
            awaitAll(interrupted);
          });
    }
    awaitAll(begun);
    Workers.join(Duration.ofMillis(1), Duration.ofMinutes(1), some, others);
    assertThat(interrupted.getCount()).isZero();
    assertThat(Threads.named("feedline-some")).isEmpty();
    assertThat(Threads.named("feedline-others")).isEmpty();
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException expected) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted once more", e);
    }
  }
}
