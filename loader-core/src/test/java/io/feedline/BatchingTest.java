package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.internal.Counts;
import io.feedline.sampler.BatchSampler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options on batches, on production ahead of the consumer and on its order. */
@Timeout(60)
class BatchingTest {

  @ParameterizedTest
  @CsvSource({"0,false", "1,false", "3,false", "0,true", "3,true"})
  void shouldGiveSamplesByThemselvesWithoutABatchAxis(int workers, boolean stream) {
    List<Probe> probes = LongStream.range(0, 20).mapToObj(Probes::probe).toList();
    DataLoaderBuilder<Probe> builder =
        stream
            ? DataLoader.builder(IterableDataset.of(probes))
            : DataLoader.builder(Dataset.of(probes)).shuffle(true);
    try (DataLoader<Probe> loader = builder.withoutBatching().numWorkers(workers).build()) {
      List<Long> seen = Probes.each(loader, BatchingTest::single);
      List<Long> all = LongStream.range(0, 20).boxed().toList();
      assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
      assertThat(!stream || seen.equals(all)).isTrue();
    }
  }

  private static long single(Batch batch) {
    Probe expected = Probes.probe(batch.indices()[0]);
    assertThat(batch.size()).isEqualTo(1);
    assertThat(batch.tensor("index").shape()).isEqualTo(Shape.SCALAR);
    assertThat(batch.tensor("words").shape()).isEqualTo(Shape.of(12));
    assertThat(batch.tensor("words").toLongArray()).isEqualTo(expected.words());
    assertThat(batch.values("name")).isEqualTo(List.of(expected.name()));
    return batch.indices()[0];
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,8", "4,2", "16,8"})
  void shouldTakeNoMoreMemoryThanPrefetchBytes(int batchSize, int workers) {
    // Busy at first, so that all workers look for work while nothing has been allocated yet.
    AtomicLong spun = new AtomicLong();
    Dataset<Probe> dataset =
        Samples.probes(
            160,
            index -> {
              for (int i = 0; i < 10_000 && index < 4L * batchSize; i++) {
                spun.addAndGet(index);
              }
            });
    long slot = slotBytes(batchSize);
    for (int slots = 1; slots <= 4; slots++) {
      StrictAllocator allocator = new StrictAllocator();
      try (DataLoader<Probe> loader =
          Samples.loader(dataset, batchSize, workers)
              .prefetch(8)
              .maxOpenBatches(1)
              .prefetchBytes(slots * slot)
              .allocator(allocator)
              .build()) {
        assertThat(Probes.indices(loader)).hasSize(160 / batchSize);
        // One batch is always made, also while the consumer has the only one there is room for.
        assertThat(allocator.mostBytes()).isLessThanOrEqualTo(Math.max(2, slots) * slot);
        assertThat(allocator.openBytes()).isEqualTo(loader.stats().hostBytes());
      }
      allocator.assertAllGivenBack();
    }
  }

  private static long slotBytes(int batchSize) {
    StrictAllocator allocator = new StrictAllocator();
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(batchSize), batchSize, 0).allocator(allocator).build()) {
      loader.forEach(Batch::close);
    }
    return allocator.mostBytes();
  }

  @Test
  void shouldMakeAsManyBatchesAheadAsAskedAndNoMore() {
    AtomicInteger made = new AtomicInteger();
    Dataset<Probe> dataset = Samples.probes(9, index -> made.incrementAndGet());
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 1, 1).name("ahead").prefetch(2).build()) {
      BatchIterator iterator = loader.iterator();
      for (int taken = 0; taken < 3; taken++) {
        while (withoutWork("feedline-ahead") == 0) {
          Thread.onSpinWait();
        }
        assertThat(made).as("after %d batches", taken).hasValue(taken + 2);
        iterator.next().close();
        while (made.get() == taken + 2) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Test
  void shouldMakeNoSecondBatchBeforeTheFirstShowsHowLargeBatchesAre() {
    AtomicBoolean ahead = new AtomicBoolean();
    AtomicBoolean firstMade = new AtomicBoolean();
    Dataset<Probe> dataset =
        Samples.probes(
            8,
            index -> {
              if (index == 0) {
                while (!ahead.get() && withoutWork("feedline-first") == 0) {
                  Thread.onSpinWait();
                }
                firstMade.set(true);
              } else if (!firstMade.get()) {
                ahead.set(true);
              }
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 1, 2).name("first").prefetch(4).prefetchBytes(1 << 30).build()) {
      loader.forEach(Batch::close);
      assertThat(loader.stats().samples()).isEqualTo(8);
    }
    assertThat(ahead).isFalse();
  }

  private static long withoutWork(String workers) {
    return Threads.named(workers).stream()
        .filter(
            thread ->
                thread.getState() == Thread.State.WAITING
                    && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("awaitWork")))
        .count();
  }

  @Test
  void shouldCountNoBatchOfAnEpochThatWasLeftAsReady() {
    try (DataLoader<Probe> loader = Samples.loader(Probes.dataset(8), 1, 1).prefetch(3).build()) {
      LoaderState start = loader.state();
      assertThat(loader.iterator().hasNext()).isTrue();
      StallHarness.awaitIdleWorkers(loader);
      loader.resume(start);

      assertThat(loader.stats().batchesReady()).isZero();
    }
  }

  @Test
  void shouldStayWithinPrefetchBytesAfterManyBreaks() {
    long slot = slotBytes(4);
    StrictAllocator allocator = new StrictAllocator();
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(400), 4, 2)
            .prefetch(6)
            .prefetchBytes(3 * slot)
            .maxOpenBatches(1)
            .allocator(allocator)
            .build()) {
      for (int epoch = 0; epoch < 200; epoch++) {
        BatchIterator iterator = loader.iterator();
        Samples.take(iterator, epoch % 5);
      }
      assertThat(allocator.mostBytes()).isLessThanOrEqualTo(3 * slot);
    }
    allocator.assertAllGivenBack();
  }

  @Test
  void shouldBeginTheNextEpochWhereAskedAndOnlyThere() {
    for (boolean next : new boolean[] {true, false}) {
      AtomicInteger gets = new AtomicInteger();
      Semaphore made = new Semaphore(0);
      Dataset<Probe> dataset =
          Samples.probes(
              8,
              index -> {
                gets.incrementAndGet();
                made.release();
              });
      try (DataLoader<Probe> loader =
          Samples.loader(dataset, 4, 2)
              .name("next")
              .prefetch(next ? 2 : 4)
              .prefetchNextEpoch(next)
              .build()) {
        if (next) {
          Probes.indices(loader);
          // Waits until both batches of the next epoch are made, though the consumer has not asked
          // for them.
          made.acquireUninterruptibly(16);
        } else {
          assertThat(loader.iterator().hasNext()).isTrue();
          made.acquireUninterruptibly(8);
          // Although there is room for more.
          while (withoutWork("feedline-next") < 2) {
            Thread.onSpinWait();
          }
        }
      }
      assertThat(gets).hasValue(next ? 16 : 8);
    }
  }

  @ParameterizedTest
  @CsvSource({"1,6", "2,6", "3,6", "4,6", "6,6", "9,6"})
  void shouldLetNoBatchOvertakeAnotherByTheWindowOrMore(int window, int prefetch) {
    Gate slowHead = new Gate();
    Dataset<Probe> dataset = Samples.probes(40, index -> slowHead.passIf(index == 8));
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 4, 3)
            .prefetch(prefetch)
            .inOrder(false)
            .reorderWindow(window)
            .build()) {
      List<Long> numbers = new ArrayList<>();
      BatchIterator iterator = loader.iterator();
      // Batch 2 is slow. Batches 0 and 1 come before it, and those that the window lets pass it.
      int before = Math.min(2 + window - 1, 9);
      while (numbers.size() < before) {
        try (Batch batch = iterator.next()) {
          Probes.verify(batch);
          numbers.add(batch.number());
        }
      }
      assertThat(numbers).doesNotContain(2L);
      assertThat(numbers).doesNotHaveDuplicates().allMatch(number -> number < 2 + window);
      slowHead.open();
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          numbers.add(batch.number());
        }
      }
      assertThat(numbers)
          .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 10).boxed().toList());
      for (int i = 0; i < numbers.size(); i++) {
        for (long later : numbers.subList(i + 1, numbers.size())) {
          assertThat(numbers.get(i) - later).isLessThan(window);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0,1", "2,1", "0,3", "2,3"})
  void shouldLeaveAsManyBatchesOpenAsAskedAndNoMore(int workers, int most) {
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(100), 5, workers).maxOpenBatches(most).build()) {
      BatchIterator iterator = loader.iterator();
      List<Batch> open = new ArrayList<>();
      for (int i = 0; i < most; i++) {
        open.add(iterator.next());
      }
      assertThat(loader.stats().batchesOpen()).isEqualTo(most);
      assertThat(iterator.hasNext()).isTrue();
      assertThatThrownBy(iterator::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(Counts.of(most, "batch") + " of this loader")
          .hasNoSuppressedExceptions();
      for (int i = 0; i < most; i++) {
        assertThat(Probes.verify(open.get(i))).startsWith(i * 5L);
      }
      open.get(0).close();
      assertThat(Probes.verify(iterator.next())).startsWith(most * 5L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldSayThatAStreamIsOverThoughAllBatchesAreOpen(int workers) {
    List<Probe> probes = LongStream.range(0, 10).mapToObj(Probes::probe).toList();
    try (DataLoader<Probe> loader =
        Samples.loader(IterableDataset.of(probes), 5, workers).maxOpenBatches(2).build()) {
      BatchIterator iterator = loader.iterator();
      Batch first = iterator.next();
      assertThat(iterator.hasNext()).isTrue();
      Batch second = iterator.next();
      assertThat(iterator.hasNext()).isFalse();
      assertThat(Probes.verify(first)).startsWith(0);
      assertThat(Probes.verify(second)).startsWith(5);
    }
  }

  @Test
  void shouldNameWhereABatchWasTakenThatIsStillOpen() {
    DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(10))
            .name("tracked")
            .numWorkers(1)
            .maxOpenBatches(1)
            .trackOpenBatches(true)
            .build();
    BatchIterator iterator = loader.iterator();
    Batch forgotten = takeABatchAndForgetIt(iterator);
    IllegalStateException refusal =
        catchThrowableOfType(IllegalStateException.class, iterator::next);
    assertThat(refusal.getSuppressed()).hasSize(1);
    assertThat(refusal.getSuppressed()[0])
        .hasMessageContaining("batch 0 of epoch 0")
        .hasMessageContaining(Thread.currentThread().getName())
        .hasStackTraceContaining("takeABatchAndForgetIt");
    try (CapturedLog log = new CapturedLog()) {
      loader.close();
      assertThat(log.text())
          .containsSubsequence(
              "WARN", "tracked is closed while a batch is open", "takeABatchAndForgetIt");
    }
    forgotten.close();
    assertThat(loader.stats().hostBytes()).isZero();
  }

  private static Batch takeABatchAndForgetIt(BatchIterator iterator) {
    return iterator.next();
  }

  @Test
  void shouldPrepareEachWorkerOnceInItsThread() {
    Set<String> prepared = ConcurrentHashMap.newKeySet();
    AtomicInteger calls = new AtomicInteger();
    Set<String> working = ConcurrentHashMap.newKeySet();
    CountDownLatch all = new CountDownLatch(3);
    Dataset<Probe> dataset =
        Samples.probes(
            60,
            index -> {
              all.await();
              working.add(Thread.currentThread().getName());
              assertThat(prepared).contains(Thread.currentThread().getName());
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 6, 3)
            .name("prepared")
            .workerInit(
                worker -> {
                  calls.incrementAndGet();
                  assertThat(Thread.currentThread().getName())
                      .isEqualTo("feedline-prepared-" + worker);
                  prepared.add(Thread.currentThread().getName());
                  all.countDown();
                })
            .build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(Probes.indices(loader)).hasSize(10);
      }
    }
    assertThat(calls).hasValue(3);
    assertThat(prepared)
        .containsExactlyInAnyOrder(
            "feedline-prepared-0", "feedline-prepared-1", "feedline-prepared-2")
        .containsAll(working);
  }

  @ParameterizedTest
  @CsvSource({"1,0", "4,0", "4,3"})
  void shouldFailFastWithTheCauseWhereAWorkerCannotBePrepared(int workers, int failing) {
    for (Throwable cause : List.of(new IOException("no licence"), new UnsatisfiedLinkError("no"))) {
      Gate gate = new Gate();
      try (DataLoader<Probe> loader =
          Samples.loader(Samples.probes(1000, index -> gate.pass()), 1, workers)
              .workerInit(worker -> Samples.failIf(worker == failing, cause))
              .build()) {
        BatchIterator iterator = loader.iterator();
        assertBroken(() -> Probes.indices(() -> iterator), failing, cause);
        assertThat(iterator.hasNext()).as("the iteration has ended").isFalse();
        assertBroken(loader::iterator, failing, cause);
        gate.open(); // before close(), which waits for the workers that are held there
      }
    }
  }

  private static void assertBroken(ThrowingCallable call, int failing, Throwable cause) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LoaderException.class,
            e -> assertThat(e.stage()).isEqualTo(LoaderException.Stage.WORKER))
        .hasMessageContaining("workerInit of worker " + failing)
        .hasCause(cause);
  }

  private static BatchSampler batches(int... sizes) {
    return epoch ->
        Samples.batches(
            sizes.length,
            batch -> sizes[(int) batch],
            (batch, row) -> (long) Arrays.stream(sizes, 0, (int) batch).sum() + row);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldFollowABatchSamplerWhoseBatchesDiffer(int workers) {
    StrictAllocator allocator = new StrictAllocator();
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(100))
            .batchSampler(batches(1, 30, 2, 7, 30, 30))
            .numWorkers(workers)
            .allocator(allocator)
            .build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        List<long[]> found = Probes.indices(loader);
        assertThat(found.stream().map(batch -> batch.length)).containsExactly(1, 30, 2, 7, 30, 30);
        assertThat(Probes.flat(found)).isEqualTo(LongStream.range(0, 100).toArray());
      }
    }
    allocator.assertAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldNotTakeABatchWithoutSamplesForTheEndOfTheEpoch(int workers) {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(100))
            .batchSampler(batches(3, 0, 4))
            .numWorkers(workers)
            .build()) {
      assertThatThrownBy(() -> Probes.indices(loader))
          .hasStackTraceContaining("batch 1")
          .hasStackTraceContaining("size 0")
          .isInstanceOf(RuntimeException.class)
          .isNotInstanceOf(NoSuchElementException.class);
    }
  }
}
