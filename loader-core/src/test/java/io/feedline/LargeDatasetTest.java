package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.WeightedRandomSampler;
import io.feedline.sampler.WorldInfo;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader takes as much memory for 2^40 samples as for a thousand, shuffled or not; some bytes for
 * each shard of a stream, and none for each rank; and for the samples that a batch of a stream has,
 * not for those that it could have.
 */
class LargeDatasetTest {

  private static final int BOUND = 1 << 20;

  @BeforeAll
  static void loadClasses() {
    firstBatch(1000, 0);
    firstBatch(1000, 512);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000, 1_000_000_000, 1L << 40})
  void shouldStartInConstantMemory(long size) {
    for (long position : new long[] {0, size / 2 / 64 * 64}) {
      // Without workers everything is allocated by this thread.
      long allocated = allocatedBytes();
      long[] indices = firstBatch(size, position);
      allocated = allocatedBytes() - allocated;
      assertThat(indices).doesNotHaveDuplicates().hasSize(64);
      assertThat(LongStream.of(indices)).allMatch(index -> index >= 0 && index < size);
      assertThat(allocated).isLessThan(BOUND);
    }
  }

  /**
   * One pass over the shards finds the number of samples of the poorest of 1024 ranks: a pass for
   * each rank would allocate 800 MB, and take seconds.
   */
  @Test
  void shouldStartAStreamOfManyShardsAmongManyRanks() {
    IterableDataset<Long> stream = shards(100_000, 10_000);
    firstBatch(shards(100, 10), 8, 3);
    for (int rank : new int[] {0, 1023}) {
      long allocated = allocatedBytes();
      assertThat(firstBatch(stream, 1024, rank)).isEqualTo(970_000 / 64 + 1);
      assertThat(allocatedBytes() - allocated).isLessThan(16 * BOUND);
    }
  }

  private static long firstBatch(IterableDataset<Long> stream, int ranks, int rank) {
    try (DataLoader<Long> loader =
        Samples.loader(stream, 64, 0).shuffleShards(true).distributed(rank, ranks).build()) {
      assertThat(Samples.next(loader.iterator(), 1)).doesNotHaveDuplicates();
      return loader.size().orElseThrow();
    }
  }

  private static IterableDataset<Long> shards(int shards, int samples) {
    int[] sizes = new int[shards];
    Arrays.fill(sizes, samples);
    return Samples.shards(true, sizes);
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static long[] firstBatch(long size, long position) {
    try (DataLoader<Long> loader =
        Samples.loader(Dataset.of(size, index -> index), 64, 0).shuffle(true).build()) {
      loader.resume(ChangedState.with(loader.state(), "position", position));
      BatchIterator iterator = loader.iterator();
      assertThat(iterator.remaining()).hasValue((size - position + 63) / 64);
      try (Batch batch = iterator.next()) {
        assertThat(batch.tensor(0).toLongArray()).isEqualTo(batch.indices());
        assertThat(batch.number()).isEqualTo(position / 64);
        return batch.indices();
      }
    }
  }

  private static IterableDataset<Long> numbers(long end) {
    return IterableDataset.from(() -> SampleStream.of(LongStream.range(0, end).iterator()));
  }

  private static List<Long> read(DataLoader<?> loader) {
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : loader) {
      try (batch) {
        assertThat(batch.indices()).hasSize(batch.size());
        if (batch.tensors().isEmpty()) {
          batch.values("data").forEach(value -> numbers.add((Long) value));
        } else {
          LongStream.of(batch.tensor(0).toLongArray()).forEach(numbers::add);
        }
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @CsvSource({
    "100000000, 2",
    "2147483647, 70000",
    "2147483647, 0",
    "300, 256",
    "300, 255",
    "300, 257",
    "300, 299",
    "300, 300",
    "300, 301",
    "300, 900",
    "65537, 65536",
    "65537, 65537",
    "65537, 140000"
  })
  void shouldReadAStreamThatIsShorterThanABatch(int batchSize, int samples) {
    List<Long> all = LongStream.range(0, samples).boxed().toList();
    for (int workers : new int[] {0, 3}) {
      try (DataLoader<Long> loader = Samples.loader(numbers(samples), batchSize, workers).build()) {
        assertThat(read(loader)).isEqualTo(all);
        assertThat(read(loader)).isEqualTo(all);
        assertThat(loader.stats().hostBytes()).isLessThan(64L << 20);
      }
      try (DataLoader<Long> loader =
          Samples.loader(numbers(samples), batchSize, workers)
              .collator((list, batch) -> batch.values("data", list))
              .dropLast(true)
              .build()) {
        assertThat(read(loader)).isEqualTo(all.subList(0, samples / batchSize * batchSize));
      }
    }
  }

  /** 50,000 rows of this kind would not fit into a batch. */
  @Test
  void shouldReadLargeSamplesThatAreFew() {
    IterableDataset<float[]> rows =
        IterableDataset.of(IntStream.range(0, 3).mapToObj(i -> new float[150_000]).toList());
    try (DataLoader<float[]> loader = DataLoader.builder(rows).batchSize(50_000).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.size()).isEqualTo(3);
    }
  }

  @Test
  void shouldContinueBehindSuchABatch() {
    try (DataLoader<Long> first = DataLoader.builder(numbers(1000)).batchSize(300).build();
        DataLoader<Long> resumed = DataLoader.builder(numbers(1000)).batchSize(400).build()) {
      BatchIterator iterator = first.iterator();
      Samples.take(iterator, 2);
      resumed.resume(first.state());
      assertThat(read(resumed)).isEqualTo(LongStream.range(600, 1000).boxed().toList());
      assertThat(read(resumed)).hasSize(1000);
    }
  }

  private static final long MOST = Long.MAX_VALUE;

  private static Stream<Arguments> orders() {
    return Stream.<Sampler>of(
            RandomSampler.builder(10).numSamples(MOST).build(),
            RandomSampler.builder(10).replacement(true).numSamples(MOST).build(),
            RandomSampler.builder(10).numSamples(MOST - 1).build(),
            WeightedRandomSampler.of(new double[] {1, 2, 3}, MOST, 4))
        .map(Arguments::of);
  }

  private static DataLoaderBuilder<Long> builder(Sampler sampler, int batchSize, WorldInfo world) {
    return DataLoader.builder(Dataset.of(10, index -> index))
        .sampler(sampler)
        .batchSize(batchSize)
        .distributed(world);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldBeResumedByAnyRanksAndBatchSize(Sampler sampler) {
    List<Long> all = LongStream.range(0, 400).map(sampler.order(0)::indexAt).boxed().toList();
    for (int ranks = 1; ranks <= 3; ranks++) {
      LoaderState state;
      try (DataLoader<Long> loader = builder(sampler, 4, new WorldInfo(0, ranks)).build()) {
        assertThat(loader.size().orElseThrow()).isPositive();
        Samples.next(loader.iterator(), 5);
        state = LoaderState.fromJson(loader.state().toJson());
      }
      for (int after = 1; after <= 4; after++) {
        for (int batchSize : new int[] {1, 4, 7}) {
          for (int rank = 0; rank < after; rank++) {
            try (DataLoader<Long> loader =
                builder(sampler, batchSize, new WorldInfo(rank, after)).build()) {
              loader.resume(state);
              List<Long> expected = new ArrayList<>();
              for (int i = 20 * ranks + rank; expected.size() < 3 * batchSize; i += after) {
                expected.add(all.get(i));
              }
              assertThat(Samples.next(loader.iterator(), 3)).isEqualTo(expected);
              loader.resume(loader.state());
              assertThat(Samples.next(loader.iterator(), 1)).hasSize(batchSize);
            }
          }
        }
      }
    }
  }

  @Test
  void shouldBeResumedBehindBatchesOfABatchSampler() {
    BatchSampler batches =
        BatchSampler.of(RandomSampler.builder(10).numSamples(MOST).build(), 4, false);
    try (DataLoader<Long> loader =
            DataLoader.builder(Dataset.of(10, index -> index)).batchSampler(batches).build();
        DataLoader<Long> resumed =
            DataLoader.builder(Dataset.of(10, index -> index))
                .batchSampler(batches)
                .distributed(1, 2)
                .build()) {
      Samples.next(loader.iterator(), 5);
      resumed.resume(loader.state());
      BatchSampler.BatchOrder order = batches.order(0);
      assertThat(Samples.next(resumed.iterator(), 1))
          .isEqualTo(
              LongStream.range(0, 4).map(row -> order.indexAt(6, (int) row)).boxed().toList());
    }
  }

  private record Declared(int shards) implements IterableDataset<Long> {
    @Override
    public OptionalLong size() {
      return OptionalLong.of(MOST);
    }

    @Override
    public OptionalLong shardSize(int shard) {
      return OptionalLong.of(MOST);
    }

    @Override
    public SampleStream<Long> open(int shard, long epoch) {
      return SampleStream.of(LongStream.iterate(shard, i -> i + shards).iterator());
    }
  }

  @Test
  void shouldReadStreamsThatDeclareThatTheyHaveNoEnd() {
    IterableDataset<Long> chain =
        IterableDataset.chain(List.of(new Declared(1), new Declared(2), new Declared(1)));
    assertThat(chain.size()).hasValue(MOST);
    for (IterableDataset<Long> stream :
        List.of(new Declared(1), new Declared(5), chain, chain.take(MOST), chain.skip(3))) {
      for (int ranks = 1; ranks <= 3; ranks++) {
        for (int batchSize : new int[] {1, 2}) {
          try (DataLoader<Long> loader =
              DataLoader.builder(stream)
                  .batchSize(batchSize)
                  .distributed(ranks - 1, ranks)
                  .build()) {
            assertThat(loader.size().orElseThrow()).isPositive();
            List<Long> taken = Samples.next(loader.iterator(), 6);
            loader.resume(LoaderState.fromJson(loader.state().toJson()));
            taken.addAll(Samples.next(loader.iterator(), 6));
            assertThat(taken).hasSize(12 * batchSize).doesNotHaveDuplicates();
          }
        }
      }
    }
  }
}
