package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.StoppingRule;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleReader;
import io.feedline.data.StrictReader;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.Sampler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading ahead changes when something is read, and nothing else. */
@Timeout(60)
class ReadAheadTest {

  private static final int SIZE = 40;

  private final StrictReader reader = new StrictReader();

  @AfterEach
  void nothingIsLeft() {
    assertThat(reader.twiceAtOnce).as("reads of one index at once").hasValue(0);
    assertThat(reader.underWay).isEmpty();
    assertThat(Threads.named("feedline-strict")).isEmpty();
  }

  private static List<List<?>> epoch(Iterable<Batch> batches) {
    return Probes.each(
        batches,
        batch -> {
          assertThat(batch.values().values().iterator().next()).hasSize(batch.size());
          return List.copyOf(batch.values().values().iterator().next());
        });
  }

  private static <T> DataLoaderBuilder<T> loader(Dataset<T> dataset, int workers) {
    return Samples.loader(dataset, 3, workers).name("strict");
  }

  private static void endWithNothingHeld(DataLoader<?> loader) {
    loader.close();
    assertThat(loader.engine().ahead().pool().pending()).as("reads that nobody has taken").isZero();
    assertThat(loader.engine().ahead().pool().held()).as("bytes held").isZero();
  }

  private void assertSameAs(
      Function<DataLoaderBuilder<String>, DataLoaderBuilder<String>> options) {
    List<List<List<?>>> expected = new ArrayList<>();
    Dataset<String> plain = Dataset.of(SIZE, index -> "read " + index);
    try (DataLoader<String> loader = options.apply(loader(plain, 0)).build()) {
      for (int epoch = 0; epoch < 4; epoch++) {
        expected.add(epoch(loader));
      }
    }
    for (int workers : new int[] {0, 1, 2, 8}) {
      for (int reads : new int[] {1, 12}) {
        for (long bytes : new long[] {3 * StrictReader.BYTES, 1 << 20}) {
          try (DataLoader<String> loader =
              options
                  .apply(loader(reader.dataset(SIZE), workers))
                  .readAhead(reads)
                  .readAheadBytes(bytes)
                  .build()) {
            for (int epoch = 0; epoch < 4; epoch++) {
              assertThat(epoch(loader)).isEqualTo(expected.get(epoch));
            }
            endWithNothingHeld(loader);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldDeliverTheSameEpochs(boolean ranged) {
    reader.ranged = ranged;
    assertSameAs(builder -> builder.shuffle(true));
    assertThat(reader.mostReadingAhead.get()).isBetween(1, 12);
    assertSameAs(builder -> builder);
    Sampler repeating = epoch -> Samples.order(SIZE, position -> position / 2 % (5 + epoch));
    assertSameAs(builder -> builder.sampler(repeating));
    BatchSampler batches =
        epoch ->
            Samples.batches(
                8, batch -> (int) batch + 1, (batch, row) -> (batch * 7 + row + epoch) % SIZE);
    assertSameAs(builder -> builder.batchSize(1).batchSampler(batches));
  }

  @Test
  void shouldReadAheadWhateverTheDatasetIsMadeOf() throws Exception {
    StrictReader other = new StrictReader();
    Dataset<String> half = other.dataset(SIZE);
    Dataset<String> whole =
        Dataset.<String>concat(
                reader.dataset(SIZE).filter(sample -> !sample.endsWith("1")),
                half.subset(10, 30).map(sample -> sample + "!"))
            .split(new double[] {0.5, 0.5}, 1)
            .get(0)
            .zip(Dataset.of(28, index -> "." + index), (a, b) -> a + b);
    Dataset<String> all =
        Dataset.mix(
                List.of(whole, reader.dataset(30)), new double[] {1, 2}, StoppingRule.ALL_EXHAUSTED)
            .repeat(2);
    List<Object> expected = new ArrayList<>();
    for (long i = 0; i < all.size(); i++) {
      expected.add(all.get(i));
    }
    // The workers leave the other samples to the pool until it has read of both.
    Dataset<String> waiting =
        all.map(
            Samples.after(
                sample -> {
                  Threads.spinWhile(
                      () ->
                          Math.min(reader.mostReadingAhead.get(), other.mostReadingAhead.get())
                              < 1);
                }));
    Dataset<Map<String, Object>> stacked = Dataset.stack(Map.of("only", waiting));
    int before = reader.reads.intValue() + other.reads.intValue();
    try (DataLoader<Map<String, Object>> loader =
        loader(stacked, 2).readAhead(8).prefetchNextEpoch(false).build()) {
      List<Object> found = new ArrayList<>();
      epoch(loader).forEach(found::addAll);
      assertThat(found).isEqualTo(expected);
    }
    assertThat(reader.reads.intValue() + other.reads.intValue() - before)
        .isBetween(1, (int) stacked.size());
  }

  @Test
  void shouldHaveManyReadsUnderWayWhileOneWorkerWaits() throws InterruptedException {
    Gate gate = new Gate();
    reader.onRead = index -> gate.pass();
    try (DataLoader<String> loader = loader(reader.dataset(SIZE), 1).readAhead(16).build()) {
      BatchIterator batches = loader.iterator();
      // One more is the worker's own, unless a thread was there before it.
      reader.awaitBegun(16);
      gate.open();
      assertThat(epoch(() -> batches)).hasSize(14);
    }
    assertThat(reader.mostReadingAhead.get()).isBetween(15, 16);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHoldNoMoreBytesThanAllowed(boolean ranged) throws InterruptedException {
    int most = 5;
    // A range is in memory twice while it is read.
    int budget = most * StrictReader.BYTES + (ranged ? StrictReader.BYTES : 9);
    reader.ranged = ranged;
    Gate gate = new Gate();
    AtomicInteger reserved = new AtomicInteger();
    AtomicInteger mostReserved = new AtomicInteger();
    AtomicLong mostHeld = new AtomicLong();
    AtomicReference<DataLoader<String>> watched = new AtomicReference<>();
    CountDownLatch full = new CountDownLatch(most);
    reader.onRead =
        index -> {
          mostHeld.accumulateAndGet(watched.get().engine().ahead().pool().held(), Math::max);
          if (StrictReader.onPoolThread()) {
            mostReserved.accumulateAndGet(reserved.incrementAndGet(), Math::max);
            full.countDown();
          }
        };
    Dataset<String> slow = reader.dataset(SIZE).map(Samples.after(sample -> gate.pass()));
    try (DataLoader<String> loader = loader(slow, 1).readAhead(20).readAheadBytes(budget).build()) {
      watched.set(loader);
      BatchIterator batches = loader.iterator();
      full.await();
      // The worker has taken one sample at most, and waits with it.
      assertThat(mostReserved.get()).isBetween(most, most + 1);
      gate.open();
      assertThat(epoch(() -> batches)).hasSize(14);
    }
    assertThat(mostHeld.get()).isBetween((long) most * StrictReader.BYTES - 9, (long) budget);
  }

  /** It tells only afterwards how much it has read: each thread may be over by one. */
  @Test
  void shouldStopWhereAReaderOfAnothersHasFilledTheBudget() throws InterruptedException {
    Gate gate = new Gate();
    CountDownLatch full = new CountDownLatch(4);
    AtomicInteger reads = new AtomicInteger();
    SampleReader<byte[]> plain =
        index -> {
          reads.incrementAndGet();
          full.countDown();
          return new byte[10];
        };
    Dataset<byte[]> dataset =
        StrictReader.dataset(SIZE, plain, index -> {}).map(Samples.after(bytes -> gate.pass()));
    try (DataLoader<byte[]> loader =
        loader(dataset, 1).readAhead(2).readAheadBytes(30).prefetchNextEpoch(false).build()) {
      BatchIterator batches = loader.iterator();
      full.await();
      assertThat(loader.engine().ahead().pool().held()).isLessThanOrEqualTo(40);
      assertThat(reads.get()).isLessThanOrEqualTo(1 + 4);
      gate.open();
      assertThat(epoch(() -> batches)).hasSize(14);
    }
  }

  @Test
  void shouldLeaveSamplesToTheWorkersThatAreLargerThanTheBudget() {
    for (boolean ranged : new boolean[] {false, true}) {
      reader.ranged = ranged;
      try (DataLoader<String> loader =
          loader(reader.dataset(SIZE), 2).readAhead(4).readAheadBytes(9).build()) {
        assertThat(epoch(loader)).hasSize(14);
        assertThat(epoch(loader)).hasSize(14);
      }
    }
  }

  @Test
  void shouldReadEachSampleOnceAnEpoch() {
    try (DataLoader<String> loader =
        loader(reader.dataset(SIZE), 3)
            .shuffle(true)
            .readAhead(8)
            .prefetchNextEpoch(false)
            .build()) {
      for (int epoch = 1; epoch <= 3; epoch++) {
        epoch(loader);
        assertThat(reader.readsOf).hasSize(SIZE).containsValue(epoch);
        assertThat(reader.reads.sum()).isEqualTo((long) SIZE * epoch);
        assertThat(loader.stats().epochs().get(epoch - 1).bytesRead())
            .isEqualTo((long) SIZE * StrictReader.BYTES);
      }
    }
  }

  @Test
  void shouldReadTheNextEpochAheadAtTheEndOfOne() throws InterruptedException {
    Sampler parts = epoch -> Samples.order(SIZE, position -> epoch * SIZE + position);
    try (DataLoader<String> loader =
        loader(reader.dataset(4 * SIZE), 1).sampler(parts).prefetch(1).readAhead(4).build()) {
      BatchIterator batches = loader.iterator();
      // No worker is beyond the second batch.
      reader.awaitBegun(SIZE + 20);
      assertThat(reader.readsOf).containsKey((long) SIZE + 19);
      assertThat(epoch(() -> batches)).hasSize(14);
      for (int epoch = 1; epoch < 3; epoch++) {
        assertThat(epoch(loader).get(2).get(2)).isEqualTo("read " + (epoch * SIZE + 8));
      }
    }
    assertThat(reader.readsOf.values()).as("what was read ahead was used").containsOnly(1);
  }

  @Test
  void shouldReadNeighbouringRangesTogether() {
    reader.ranged = true;
    try (DataLoader<String> loader =
        loader(reader.dataset(4000), 2)
            .readAhead(4)
            .readAheadBytes(16 * 20 * StrictReader.BYTES)
            .prefetchNextEpoch(false)
            .build()) {
      assertThat(epoch(loader)).hasSize(1334);
    }
    assertThat(reader.reads.sum()).isEqualTo(4000);
    assertThat(reader.lends.sum()).isPositive();
    assertThat(reader.lentReads.sum()).isGreaterThanOrEqualTo(2 * reader.lends.sum());
  }

  @Test
  void shouldReadOneByOneWhatCannotBeReadTogether() {
    reader.ranged = true;
    reader.brokenLending = true;
    assertSameAs(builder -> builder);
    assertThat(reader.lentReads.sum()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void shouldFailASampleAtItsTurnAsItWouldWithout(int workers) {
    reader.onRead = index -> Samples.failIf(index % 10 == 4, "broken: " + index);
    try (DataLoader<String> loader =
        loader(reader.dataset(SIZE), workers).readAhead(8).prefetchNextEpoch(false).build()) {
      BatchIterator batches = loader.iterator();
      batches.next().close();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining("sample 4 of strict")
          .hasRootCauseMessage("broken: 4");
    }
    try (DataLoader<String> loader =
            loader(reader.dataset(SIZE), workers)
                .readAhead(8)
                .prefetchNextEpoch(false)
                .errorPolicy(ErrorPolicy.skip())
                .build();
        CapturedLog log = new CapturedLog()) {
      assertThat(epoch(loader).stream().mapToInt(List::size).sum()).isEqualTo(SIZE - 4);
      assertThat(log.lines("broken: ")).hasSize(4);
      assertThat(loader.quarantine().indices()).containsExactly(4, 14, 24, 34);
    }
  }

  @Test
  void shouldReadASampleOnceMoreWhereAThreadRanOutOfMemory() {
    reader.onRead =
        index -> Samples.failIf(StrictReader.onPoolThread(), new OutOfMemoryError("made up"));
    try (DataLoader<String> loader = loader(reader.dataset(SIZE), 2).readAhead(8).build()) {
      assertThat(epoch(loader)).hasSize(14);
    }
  }

  @Test
  void shouldFailTheSampleThatCannotTellWhatItReads() {
    Dataset<String> untold =
        StrictReader.dataset(
            SIZE,
            reader,
            index -> {
              if (index == 7) {
                throw new IllegalStateException("where is it?");
              }
            });
    try (DataLoader<String> loader =
            loader(untold, 2).readAhead(8).errorPolicy(ErrorPolicy.skip()).build();
        CapturedLog log = new CapturedLog()) {
      epoch(loader);
      assertThat(log.lines("where is it?")).hasSize(1);
      assertThat(loader.quarantine().indices()).containsExactly(7);
    }
  }

  @Test
  void shouldNotBeginWhatABrokenEpochHadAnnounced() throws InterruptedException {
    Gate gate = new Gate();
    reader.onRead = index -> gate.pass();
    try (DataLoader<String> loader =
        loader(reader.dataset(10_000), 1).shuffle(true).readAhead(4).build()) {
      assertThat(loader.iterator().epoch()).isZero();
      reader.awaitBegun(4);
      // Another epoch; the first reads are still under way.
      BatchIterator other = loader.epoch(5).iterator();
      gate.open();
      other.next().close();
      endWithNothingHeld(loader);
    }
    assertThat(reader.reads.sum()).isLessThan(500);
  }

  /** The announcements of a broken epoch count no more. */
  @Test
  void shouldReadAsFarAheadBehindBrokenEpochs() {
    AtomicReference<DataLoader<String>> watched = new AtomicReference<>();
    AtomicInteger mostAhead = new AtomicInteger();
    Dataset<String> dataset =
        reader
            .dataset(SIZE)
            .map(
                Samples.after(
                    sample ->
                        mostAhead.accumulateAndGet(
                            watched.get().engine().ahead().pool().pending(), Math::max)));
    try (DataLoader<String> loader =
        loader(dataset, 1).readAhead(1).prefetchNextEpoch(false).build()) {
      watched.set(loader);
      for (int epoch = 0; epoch < 4; epoch++) {
        loader.iterator().next().close();
      }
      mostAhead.set(0);
      assertThat(epoch(loader)).hasSize(14);
    }
    assertThat(mostAhead).hasValueGreaterThanOrEqualTo(16);
  }

  /** The announcements for the whole epoch are given up. */
  @Test
  void shouldAnnounceOnlyTheRestOfAnEpochThatIsResumed() throws InterruptedException {
    Sampler parts = epoch -> Samples.order(SIZE, position -> epoch * SIZE + position);
    Set<Long> announced = ConcurrentHashMap.newKeySet();
    Dataset<String> watched = StrictReader.dataset(4 * SIZE, reader, announced::add);
    LoaderState state;
    try (DataLoader<String> loader =
        loader(watched, 0).sampler(parts).readAhead(0).prefetchNextEpoch(false).build()) {
      BatchIterator second = loader.epoch(1).iterator();
      Samples.take(second, 13);
      state = loader.state();
    }
    announced.clear();
    int before = reader.reads.intValue();
    try (DataLoader<String> loader =
        loader(watched, 1).sampler(parts).prefetch(1).readAhead(4).build()) {
      assertThat(loader.iterator().epoch()).isZero();
      reader.awaitBegun(before + SIZE + 20);
      loader.resume(state);
      assertThat(epoch(loader)).containsExactly(List.of("read " + (SIZE + 39)));
      endWithNothingHeld(loader);
    }
    assertThat(announced)
        .contains((long) SIZE, (long) SIZE + 19, (long) SIZE + 39)
        .doesNotContain((long) SIZE + 38);
  }

  @Test
  void shouldGiveUpReadsThatWaitForRoomWhenTheLoaderIsClosed() throws InterruptedException {
    Gate gate = new Gate();
    CountDownLatch read = new CountDownLatch(2);
    reader.onRead = index -> read.countDown();
    Dataset<String> slow = reader.dataset(SIZE).map(Samples.after(sample -> gate.pass()));
    // In the next epoch the first sample would be wanted again, and would fill the room till then.
    DataLoader<String> loader =
        loader(slow, 1)
            .readAhead(8)
            .readAheadBytes(StrictReader.BYTES + 5)
            .prefetchNextEpoch(false)
            .build();
    assertThat(loader.iterator().epoch()).isZero();
    reader.awaitBegun(9);
    read.await();
    gate.open();
    endWithNothingHeld(loader);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLoseNothingInAThousandBrokenEpochs(boolean ranged) {
    reader.ranged = ranged;
    int mostThreads = 0;
    try (DataLoader<String> loader =
        loader(reader.dataset(SIZE), 2).shuffle(true).readAhead(4).readAheadBytes(95).build()) {
      for (int epoch = 0; epoch < 1000; epoch++) {
        BatchIterator batches = loader.iterator();
        Probes.each(batches, epoch % 15, Batch::number);
        if (epoch % 100 == 0) {
          mostThreads = Math.max(mostThreads, Threads.named("feedline-strict").size());
          loader.resume(loader.state());
        }
      }
      endWithNothingHeld(loader);
    }
    assertThat(mostThreads).isLessThanOrEqualTo(2 + 4);
  }

  @Test
  void shouldGoOnFromAStateAsWithout() {
    for (int taken = 0; taken < 14; taken++) {
      LoaderState state;
      List<List<?>> rest;
      try (DataLoader<String> loader =
          loader(reader.dataset(SIZE), 2).shuffle(true).readAhead(0).build()) {
        BatchIterator batches = loader.iterator();
        Samples.take(batches, taken);
        state = loader.state();
        rest = epoch(() -> batches);
      }
      try (DataLoader<String> loader =
          loader(reader.dataset(SIZE), 2).shuffle(true).readAhead(8).build()) {
        loader.resume(state);
        assertThat(epoch(loader)).isEqualTo(rest);
        assertThat(epoch(loader)).hasSize(14);
      }
    }
  }

  @Test
  void shouldReadAheadByItselfOnlyWhatPrefersIt() {
    try (DataLoader<String> loader = loader(reader.dataset(SIZE), 2).build()) {
      epoch(loader);
    }
    assertThat(reader.mostReadingAhead).hasValue(0);
    reader.prefers = true;
    try (DataLoader<String> loader = loader(reader.dataset(SIZE), 2).readAhead(0).build()) {
      epoch(loader);
      assertThat(reader.mostReadingAhead).hasValue(0);
    }
    try (DataLoader<String> loader = loader(reader.dataset(SIZE), 2).build()) {
      epoch(loader);
    }
    assertThat(reader.mostReadingAhead.get()).isPositive();
  }

  @Test
  void shouldSayWhereADatasetDoesNotTellWhatItReads() {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> loader =
            DataLoader.builder(Dataset.of(SIZE, index -> index)).readAhead(8).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        loader.forEach(Batch::close);
      }
      assertThat(log.text()).containsOnlyOnce("does not report what it reads");
    }
  }
}
