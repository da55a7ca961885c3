package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.FailingDataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import io.feedline.data.Shards;
import io.feedline.internal.Counts;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.LengthBucketBatchSampler;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that are loaded once and given again and again. */
@Timeout(60)
class ReplayTest {

  private static final int SIZE = 50;

  private final StrictAllocator memory = new StrictAllocator();

  private static DataLoaderBuilder<Probe> shuffled() {
    return Samples.loader(Probes.augmented(SIZE), 4, 2).shuffle(true);
  }

  static Stream<Named<Supplier<DataLoaderBuilder<Probe>>>> loaders() {
    int[] lengths = IntStream.range(0, SIZE).map(i -> i % 7).toArray();
    return Stream.of(
        Named.of("a short last batch", ReplayTest::shuffled),
        Named.of("none", () -> shuffled().dropLast(true)),
        Named.of("a padded one", () -> shuffled().padLast(true)),
        Named.of("without workers", () -> shuffled().numWorkers(0)),
        Named.of("fewer batches than are kept", () -> shuffled().batchSize(20).prefetch(5)),
        Named.of("single samples", () -> shuffled().batchSize(1).withoutBatching()),
        Named.of("one rank", () -> shuffled().distributed(1, 3)),
        Named.of("out of turn", () -> shuffled().inOrder(false)),
        Named.of(
            "a list collator",
            () ->
                shuffled()
                    .collator(
                        (ListCollator<Probe>)
                            (samples, batch) -> {
                              Shape rows = Shape.of(samples.size());
                              var index = batch.tensor("index", DType.INT64, rows).asLongBuffer();
                              samples.forEach(sample -> index.put(sample.index()));
                              batch.tensor("fixed", DType.UINT8, Shape.of(3)).put(new byte[3]);
                              batch.values("all", List.of(1, 2));
                            })),
        Named.of(
            "batches of a sampler",
            () ->
                DataLoader.builder(Probes.augmented(SIZE))
                    .batchSampler(LengthBucketBatchSampler.of(lengths, 4, 3))),
        Named.of(
            "a stream",
            () ->
                DataLoader.builder(Shards.of(20, 0, 30).declaringSizes())
                    .batchSize(4)
                    .shuffleShards(true)
                    .shuffleBuffer(5)
                    .interleave(2)),
        Named.of(
            "a rank's shards",
            () ->
                DataLoader.builder(Shards.of(20, 7, 18, 9).declaringSizes())
                    .batchSize(4)
                    .distributed(1, 2)),
        Named.of(
            "a rank's part of a stream",
            () ->
                DataLoader.builder(Shards.of(SIZE).declaringSizes())
                    .batchSize(4)
                    .distributed(new WorldInfo(1, 2), Remainder.EXACT)));
  }

  private static List<String> outline(DataLoader<?> loader) {
    List<String> batches =
        Probes.each(
            loader,
            batch ->
                "%d.%d %s valid=%d %s"
                    .formatted(
                        batch.epoch(),
                        batch.number(),
                        batch.tensors(),
                        batch.valid(),
                        lengths(batch.values())));
    batches.add("of " + loader.size());
    return batches;
  }

  private static List<String> lengths(Map<String, List<?>> values) {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "[" + entry.getValue().size() + "]")
        .toList();
  }

  @ParameterizedTest
  @MethodSource("loaders")
  void shouldHaveTheEpochsOfTheLoader(Supplier<DataLoaderBuilder<Probe>> builder) {
    try (DataLoader<Probe> loader = builder.get().build();
        DataLoader<Probe> replay = loader.replay()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        List<String> expected = outline(loader);
        List<String> found = outline(replay);
        // Batches out of turn come as they are finished.
        assertThat(sorted(loader, found)).isEqualTo(sorted(loader, expected));
      }
      assertThat(replay.stats().batches()).isEqualTo(loader.stats().batches());
      assertThat(replay.stats().samples()).isEqualTo(loader.stats().samples());
      assertThat(replay.stats().batchesOpen()).isZero();
    }
  }

  private static List<String> sorted(DataLoader<?> loader, List<String> batches) {
    return loader.options().reorderWindow() == 1 ? batches : batches.stream().sorted().toList();
  }

  @Test
  void shouldGiveWholeSamplesWithTheirIndices() {
    try (DataLoader<Probe> loader = shuffled().build();
        DataLoader<Probe> replay = loader.replay()) {
      Set<Long> seen = new HashSet<>();
      for (int epoch = 0; epoch < 5; epoch++) {
        LongStream.of(Probes.flat(Probes.indices(replay))).forEach(seen::add);
      }
      // By default as many as the loader itself may have: 1 + 2 samples a worker, and 2 open ones.
      assertThat(loader.options().prefetch()).isEqualTo(2);
      assertThat(seen).hasSize(4 * 4);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldLoadNoSampleTwice(int workers) {
    AtomicIntegerArray reads = new AtomicIntegerArray(SIZE);
    Dataset<Probe> counting = Samples.probes(SIZE, index -> reads.incrementAndGet((int) index));
    try (DataLoader<Probe> loader = Samples.loader(counting, 4, workers).shuffle(true).build();
        DataLoader<Probe> replay = loader.replay(3)) {
      int[] loaded = IntStream.range(0, SIZE).map(reads::get).toArray();
      assertThat(loaded).containsOnly(0, 1);
      assertThat(Arrays.stream(loaded).sum()).isBetween(3 * 4, 3 * 4 + 4);

      for (int epoch = 0; epoch < 20; epoch++) {
        assertThat(Probes.indices(replay)).hasSize(13);
      }

      assertThat(IntStream.range(0, SIZE).map(reads::get).toArray()).isEqualTo(loaded);
    }
  }

  @Test
  void shouldKeepEachBatchInItsPlaceWhereAllAreKept() {
    try (DataLoader<Probe> loader = shuffled().batchTransform(ReplayTest::countUp).build();
        DataLoader<Probe> replay = loader.replay(100)) {
      List<Long> first = Probes.checksums(loader);
      BatchIterator left = replay.iterator();
      left.next().close();
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(Probes.checksums(replay)).isEqualTo(first);
      }
    }
  }

  private static void countUp(MutableBatch batch, RandomGenerator random) {
    ByteBuffer drawn = batch.tensor("drawn").bytes();
    drawn.putLong(0, drawn.getLong(0) + 1);
  }

  @Test
  void shouldBeginWithTheEpochThatTheLoaderHasBeforeIt() {
    try (DataLoader<Probe> loader = shuffled().build()) {
      BatchIterator under = loader.epoch(4).iterator();
      under.next().close();
      try (DataLoader<Probe> replay = loader.replay(100)) {
        List<Long> replayed = Probes.checksums(replay);
        // The loader's own epoch continues.
        assertThat(under.remaining()).hasValue(12);
        under.next().close();
        assertThat(replayed).isEqualTo(Probes.checksums(loader));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"2, 2, 2", "3, 8, 3", "3, 2, 2", "4, 1, 1"})
  void shouldDeliverNoOpenBatchTwice(int maxOpen, int kept, int most) {
    try (DataLoader<Probe> loader = shuffled().maxOpenBatches(maxOpen).build();
        DataLoader<Probe> replay = loader.replay(kept)) {
      assertThat(replay.options().maxOpenBatches()).isEqualTo(most);
      BatchIterator batches = replay.iterator();
      List<Batch> open = new ArrayList<>();
      for (int turn = 0; turn < 10; turn++) {
        while (open.size() < most) {
          open.add(batches.next());
        }
        Refusals.assertThrown(
            IllegalStateException.class,
            batches::next,
            Counts.of(most, "batch") + " of this loader",
            "close each batch");
        for (int i = 0; i < most; i++) {
          open.get(i).tensor("drawn").bytes().putLong(0, i);
        }
        for (int i = 0; i < most; i++) {
          assertThat(open.get(i).tensor("drawn").bytes().getLong(0)).isEqualTo(i);
        }
        // Not in the order in which they were taken.
        open.remove(turn % most).close();
      }
      open.forEach(Batch::close);
    }
  }

  @Test
  void shouldDeliverTheSameMemoryAgainWhenABatchIsClosed() {
    try (DataLoader<Probe> loader = shuffled().build();
        DataLoader<Probe> replay = loader.replay(2)) {
      BatchIterator batches = replay.iterator();
      Batch first = batches.next();
      Tensor drawn = first.tensor("drawn");
      drawn.bytes().putLong(0, 42);
      first.close();
      first.close();

      Refusals.assertThrown(
          IllegalStateException.class, drawn::bytes, "batch 0 of epoch 0 has been closed");
      assertThatThrownBy(() -> first.tensor("drawn")).isInstanceOf(IllegalStateException.class);
      batches.next().close();
      try (Batch again = batches.next()) {
        assertThat(again.tensor("drawn").bytes().getLong(0)).isEqualTo(42);
        assertThat(again.number()).isEqualTo(2);
      }
    }
  }

  @Test
  void shouldCloseBatchesInAnyThread() throws Exception {
    try (DataLoader<Probe> loader = shuffled().maxOpenBatches(64).allocator(memory).build();
        DataLoader<Probe> replay = loader.replay(8)) {
      BlockingQueue<Batch> used = new ArrayBlockingQueue<>(4);
      int batches = 13 * 100;
      CompletableFuture<Void> closer =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < batches; i++) {
                    try (Batch batch = used.take()) {
                      Probes.verify(batch);
                    }
                  }
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      for (int epoch = 0; epoch < 100; epoch++) {
        for (Batch batch : replay) {
          used.put(batch);
        }
      }
      closer.join();
      assertThat(replay.stats().batchesOpen()).isZero();
    }
    memory.assertAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGiveAllMemoryBackWhicheverLoaderIsClosedFirst(boolean replayFirst) {
    List<Thread> before = Threads.named("feedline-");
    DataLoader<Probe> loader = shuffled().allocator(memory).build();
    DataLoader<Probe> replay = loader.replay();
    (replayFirst ? replay : loader).close();
    DataLoader<Probe> other = replayFirst ? loader : replay;
    assertThat(Probes.indices(other)).hasSize(13);
    BatchIterator batches = other.iterator();
    Batch open = batches.next();
    other.close();
    other.close();
    Refusals.assertThrown(IllegalStateException.class, batches::next, "is closed");

    Probes.verify(open);
    assertThat(memory.openBytes()).isPositive();
    open.close();
    memory.assertAllGivenBack();
    assertThat(Threads.named("feedline-")).hasSameElementsAs(before);
    Refusals.assertThrown(IllegalStateException.class, replay::iterator, "replay of", "is closed");
  }

  @Test
  void shouldGiveTheMemoryOfAForgottenReplayBack() {
    try (DataLoader<Probe> loader = shuffled().allocator(memory).build()) {
      leaveReplayOf(loader);
      assertThat(Garbage.makes(() -> memory.openBytes() == 0)).isTrue();
    }
  }

  private static void leaveReplayOf(DataLoader<Probe> loader) {
    loader.replay().iterator().next().close();
  }

  /** A training that keeps checkpoints runs unchanged. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCountItsStateAsTheLoaderDoes(boolean stream) {
    Supplier<DataLoaderBuilder<Probe>> builder =
        () ->
            stream
                ? DataLoader.builder(Shards.of(20, 30).declaringSizes().seekable()).batchSize(4)
                : shuffled();
    try (DataLoader<Probe> loader = builder.get().build();
        DataLoader<Probe> replay = builder.get().build().replay()) {
      for (int taken : new int[] {0, 1, 5, 13}) {
        BatchIterator batches = loader.iterator();
        BatchIterator replayed = replay.iterator();
        take(batches, taken);
        take(replayed, taken);
        LoaderState own = loader.state();
        LoaderState state = replay.state();
        assertThat(state.epoch()).isEqualTo(own.epoch());
        assertThat(state.position()).isEqualTo(own.position());
        assertThat(state.values().samples()).isEqualTo(own.values().samples());

        batches.usedUpTo(own);
        replayed.usedUpTo(state);
        take(batches, 1);
        take(replayed, 1);
        assertThat(loader.state()).isEqualTo(own);
        assertThat(replay.state()).isEqualTo(state);
        replay.resume(own);
        loader.resume(state);
        assertThat(take(replay.iterator(), 100)).isEqualTo(take(loader.iterator(), 100));
      }
    }
  }

  private static List<String> take(BatchIterator batches, int most) {
    return Probes.each(
        batches, most, batch -> "%d/%d: %d".formatted(batch.epoch(), batch.number(), batch.size()));
  }

  @Test
  void shouldReplayAnEndlessStream() {
    IterableDataset<Long> endless =
        IterableDataset.of(() -> LongStream.iterate(0, i -> i + 1).iterator());
    try (DataLoader<Long> loader = DataLoader.builder(endless).batchSize(8).build();
        DataLoader<Long> replay = loader.replay(2)) {
      assertThat(replay.size()).isEmpty();
      BatchIterator batches = replay.iterator();
      assertThat(batches.remaining()).isEmpty();
      for (int i = 0; i < 100; i++) {
        try (Batch batch = batches.next()) {
          long first = 8L * (i % 2);
          assertThat(batch.tensor("data").toLongArray())
              .isEqualTo(LongStream.range(first, first + 8).toArray());
        }
      }
    }
  }

  @Test
  void shouldShareOutAStreamOfWhichOnlyTheWholeIsDeclared() {
    try (DataLoader<Long> loader = Samples.loader(Samples.declaring(31, 31), 4, 2).build();
        DataLoader<Long> replay = loader.replay()) {
      assertThat(outline(replay)).isEqualTo(outline(loader)).hasSize(1 + 8);
    }
  }

  @Test
  void shouldUseUpASourceThatIsReadOnce() {
    AtomicInteger opened = new AtomicInteger();
    IterableDataset<Long> once =
        IterableDataset.once(
            () -> {
              opened.incrementAndGet();
              return SampleStream.of(LongStream.range(0, 100).iterator());
            });
    try (DataLoader<Long> loader = DataLoader.builder(once).batchSize(8).build();
        DataLoader<Long> replay = loader.replay()) {
      assertThat(take(replay.iterator(), 50)).hasSize(50);
      Refusals.assertThrown(Exception.class, loader::iterator, "can be read once");
      Refusals.assertThrown(Exception.class, loader::replay, "can be read once");
    }
    assertThat(opened).hasValue(1);
  }

  @Test
  void shouldKeepNoMoreBytesThanThePrefetched() {
    long batch = 4L * (8 + 8 + 12 * 8);
    try (DataLoader<Probe> loader =
            shuffled().prefetch(10).prefetchBytes(3 * batch + batch / 2).build();
        DataLoader<Probe> replay = loader.replay()) {
      Set<Long> seen = new HashSet<>();
      LongStream.of(Probes.flat(Probes.indices(replay))).forEach(seen::add);
      assertThat(seen).hasSize(3 * 4);
    }
    try (DataLoader<Probe> loader = shuffled().prefetchBytes(1).build();
        DataLoader<Probe> replay = loader.replay()) {
      assertThat(replay.options().maxOpenBatches()).isEqualTo(1);
      assertThat(Probes.indices(replay)).hasSize(13);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldFailWithTheBatchThatCannotBeLoaded(int workers) {
    IOException failure = new IOException("cannot read");
    try (DataLoader<Long> loader =
        Samples.loader(new FailingDataset(SIZE, failure, "record 5"), 3, workers)
            .allocator(memory)
            .name("failing")
            .build()) {
      assertThatThrownBy(loader::replay)
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining("record 5")
          .hasRootCause(failure);
      memory.assertAllGivenBack();
      assertThat(Threads.named("feedline-failing")).isEmpty();
      try (DataLoader<Long> replay = loader.replay(1)) {
        assertThat(take(replay.iterator(), 100)).hasSize(17);
      }
    }
    memory.assertAllGivenBack();
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldLoadByTheErrorPolicy() {
    try (DataLoader<Long> loader =
            DataLoader.builder(new FailingDataset(8, new IOException("bad"), "record 5"))
                .batchSize(4)
                .errorPolicy(ErrorPolicy.skip())
                .build();
        DataLoader<Long> replay = loader.replay()) {
      // As if no sample failed.
      assertThat(take(replay.iterator(), 9)).containsExactly("0/0: 4", "0/1: 4");
      assertThat(replay.quarantine().entries()).isEmpty();
    }
  }

  @Test
  void shouldRefuseWhatCannotBeReplayed() {
    DataLoader<Probe> closed = shuffled().name("past").build();
    closed.close();
    Refusals.assertThrown(
        IllegalStateException.class, closed::replay, "the loader 'past' is closed; replay it");
    try (DataLoader<Probe> loader = shuffled().name("train").build();
        DataLoader<Probe> replay = loader.replay();
        DataLoader<Probe> empty = DataLoader.builder(Probes.dataset(0)).name("none").build()) {
      Refusals.assertThrown(
          IllegalStateException.class, replay::replay, "'replay of train' replays already");
      Refusals.assertThrown(
          IllegalStateException.class, empty::replay, "epoch 0 of none has no batches");
      for (int batches : new int[] {-1, 0, 65_537}) {
        Refusals.assertRefused(
            () -> loader.replay(batches), "batches must be 1 or more", "was " + batches);
      }
    }
  }

  @Test
  void shouldRefuseToReplayInsideASample() {
    AtomicReference<DataLoader<Long>> own = new AtomicReference<>();
    Dataset<Long> dataset = Samples.numbers(10, index -> own.get().replay().close());
    try (DataLoader<Long> loader = DataLoader.builder(dataset).numWorkers(1).build()) {
      own.set(loader);
      BatchIterator batches = loader.iterator();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is making a sample");
    }
  }
}
