package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.WeightedRandomSampler;
import io.feedline.sampler.WorldInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Orders and streams of as many samples as a number holds: "without an end" for their users. */
@Timeout(60)
class EndlessOrderTest {

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

  /** Shards that declare to be as large as a number holds. */
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
