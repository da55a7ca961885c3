package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.SubsetRandomSampler;
import io.feedline.sampler.TorchSampler;
import io.feedline.sampler.WeightedRandomSampler;
import io.feedline.sampler.WorldInfo;
import io.feedline.transform.SampleRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The random numbers of samples: those of each occurrence of a sample in an epoch are its own, on
 * whichever rank it stands, and do not depend on workers, batch size, ranks and resuming.
 */
@Timeout(60)
class DrawsTest {

  private static final long SEED = 5;

  private record Drawn(long index, long sample, long drawn) {}

  private record Augmented(long sample, long drawn) {}

  private static Augmented augmented(long sample, java.util.random.RandomGenerator random) {
    return new Augmented(sample, random.nextLong());
  }

  private static Dataset<Augmented> dataset(long size) {
    return Dataset.of(size, index -> index).map(DrawsTest::augmented);
  }

  private static IterableDataset<Augmented> stream(boolean declared, int... sizes) {
    return Samples.shards(declared, sizes).map(DrawsTest::augmented);
  }

  private static List<Drawn> rest(DataLoader<Augmented> loader, int batches) {
    List<Drawn> drawn = new ArrayList<>();
    BatchIterator iterator = loader.iterator();
    for (int i = 0; i < batches && iterator.hasNext(); i++) {
      try (Batch batch = iterator.next()) {
        long[] samples = batch.tensor("sample").toLongArray();
        long[] draws = batch.tensor("drawn").toLongArray();
        for (int row = 0; row < batch.valid(); row++) {
          drawn.add(new Drawn(batch.indices()[row], samples[row], draws[row]));
        }
      }
    }
    return drawn;
  }

  private static List<Drawn> epoch(DataLoaderBuilder<Augmented> options) {
    try (DataLoader<Augmented> loader = options.seed(SEED).build()) {
      return rest(loader, Integer.MAX_VALUE);
    }
  }

  private static List<Long> draws(List<Drawn> samples) {
    return samples.stream().map(Drawn::drawn).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void shouldDrawByThePlaceInTheWholeStream(int ranks) {
    for (int buffer : new int[] {0, 7}) {
      UnaryOperator<DataLoaderBuilder<Augmented>> mixed =
          options -> options.shuffleBuffer(buffer).batchSize(3);
      List<Drawn> all = epoch(mixed.apply(DataLoader.builder(stream(false, 64))));
      assertThat(all.stream().map(Drawn::index))
          .containsExactlyElementsOf(LongStream.range(0, 64).boxed().toList());
      assertThat(draws(all)).doesNotHaveDuplicates();
      for (int rank = 0; rank < ranks; rank++) {
        DataLoaderBuilder<Augmented> mine = mixed.apply(DataLoader.builder(stream(false, 64)));
        assertThat(epoch(mine.distributed(new WorldInfo(rank, ranks), Remainder.EXACT)))
            .isEqualTo(Samples.dealt(all, rank, ranks));
      }
    }
  }

  @Test
  void shouldDrawAnewOnRanksThatReadShardsOfTheirOwn() {
    List<Drawn> all = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      all.addAll(epoch(DataLoader.builder(stream(true, 9, 9, 9, 9, 9, 9)).distributed(rank, 3)));
    }
    assertThat(all).hasSize(54);
    assertThat(all.stream().map(Drawn::index)).doesNotHaveDuplicates();
    assertThat(draws(all)).doesNotHaveDuplicates();
  }

  /** Shards that are alike inside, by class for instance, would come alike on all ranks. */
  @Test
  void shouldShuffleShardsOfOtherRanksInAnotherWay() {
    List<List<Long>> orders = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      DataLoaderBuilder<Augmented> options =
          DataLoader.builder(stream(true, 30, 30, 30)).shuffleBuffer(10).distributed(rank, 3);
      orders.add(epoch(options).stream().map(drawn -> drawn.sample() % 30).toList());
    }
    assertThat(orders).doesNotHaveDuplicates();
  }

  @Test
  void shouldDrawByThePlaceInTheStreamWhenOtherRanksContinue() {
    List<Drawn> all = epoch(DataLoader.builder(stream(false, 60)).batchSize(1));
    for (int before = 1; before <= 4; before++) {
      for (int after = 1; after <= 4; after++) {
        LoaderState state;
        try (DataLoader<Augmented> loader =
            DataLoader.builder(stream(false, 60))
                .batchSize(5)
                .seed(SEED)
                .distributed(0, before)
                .build()) {
          assertThat(rest(loader, 2)).isEqualTo(Samples.dealt(all, 0, before).subList(0, 10));
          state = loader.state();
        }
        for (int rank = 0; rank < after; rank++) {
          try (DataLoader<Augmented> loader =
              DataLoader.builder(stream(false, 60))
                  .batchSize(2)
                  .seed(SEED)
                  .distributed(new WorldInfo(rank, after), Remainder.EXACT)
                  .build()) {
            loader.resume(state);
            assertThat(rest(loader, Integer.MAX_VALUE))
                .isEqualTo(Samples.dealt(all.subList(10 * before, 60), rank, after));
          }
        }
      }
    }
  }

  private static Stream<Arguments> repeating() {
    int[] labels = new int[60];
    Arrays.fill(labels, 0, 5, 1);
    double[] weights = new double[60];
    Arrays.fill(weights, 1);
    long[] twice = LongStream.range(0, 60).map(i -> i % 20).toArray();

    Sampler own = epoch -> Samples.order(60, position -> position / 3);
    return Stream.of(
            WeightedRandomSampler.balanced(labels, 1),
            RandomSampler.builder(60).replacement(true).numSamples(60).build(),
            RandomSampler.builder(25).numSamples(60).build(),
            SubsetRandomSampler.of(twice, 2),
            TorchSampler.subset(twice).seed(2).build(),
            TorchSampler.weighted(weights, 60).seed(1).build(),
            TorchSampler.random(60).seed(1).replacement(true).build(),
            TorchSampler.random(25).seed(1).numSamples(60).build(),
            own)
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("repeating")
  void shouldDrawAnewEachTimeAnIndexComes(Sampler sampler) {
    List<Drawn> all = epoch(DataLoader.builder(dataset(60)).sampler(sampler).batchSize(7));
    assertThat(all).hasSize(60);
    assertThat(all.stream().map(Drawn::index).distinct().count()).isLessThan(60);
    assertThat(draws(all)).doesNotHaveDuplicates();
    assertThat(epoch(Samples.loader(dataset(60), 4, 0).sampler(sampler))).isEqualTo(all);
    assertThat(
            epoch(DataLoader.builder(dataset(60)).batchSampler(BatchSampler.of(sampler, 9, false))))
        .isEqualTo(all);
    for (int ranks : new int[] {2, 3}) {
      for (int rank = 0; rank < ranks; rank++) {
        assertThat(epoch(DataLoader.builder(dataset(60)).sampler(sampler).distributed(rank, ranks)))
            .isEqualTo(Samples.dealt(all, rank, ranks));
      }
    }
    try (DataLoader<Augmented> first =
            DataLoader.builder(dataset(60)).seed(SEED).sampler(sampler).batchSize(7).build();
        DataLoader<Augmented> resumed =
            DataLoader.builder(dataset(60)).seed(SEED).sampler(sampler).batchSize(5).build()) {
      rest(first, 3);
      resumed.resume(first.state());
      assertThat(rest(resumed, Integer.MAX_VALUE)).isEqualTo(all.subList(21, 60));
    }
  }

  @Test
  void shouldDrawAnewInBatchesThatRepeatAnIndex() {
    BatchSampler pairs = epoch -> Samples.batches(10, batch -> 4, (batch, row) -> row / 2);
    List<Drawn> all = new ArrayList<>();
    // Each of four ranks has three batches; two are dealt twice.
    for (int rank = 0; rank < 4; rank++) {
      all.addAll(epoch(DataLoader.builder(dataset(2)).batchSampler(pairs).distributed(rank, 4)));
    }
    assertThat(all).hasSize(48);
    assertThat(draws(all)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void shouldDrawAnewWhereRanksArePadded(int size) {
    List<DataLoaderBuilder<Augmented>> ranks = new ArrayList<>();
    for (int rank = 0; rank < 5; rank++) {
      ranks.add(DataLoader.builder(dataset(size)).shuffle(true).distributed(rank, 5));
      ranks.add(
          DataLoader.builder(dataset(size))
              .sampler(
                  ShardedSampler.builder(new long[] {size})
                      .deal(new WorldInfo(rank, 5), Remainder.PAD)
                      .build()));
    }
    for (int kind = 0; kind < 2; kind++) {
      List<Drawn> all = new ArrayList<>();
      for (int rank = 0; rank < 5; rank++) {
        all.addAll(epoch(ranks.get(2 * rank + kind)));
      }
      assertThat(all).hasSize((size + 4) / 5 * 5);
      assertThat(draws(all)).doesNotHaveDuplicates();
      // The samples that are not padding draw as they do without.
      assertThat(draws(all)).containsAll(draws(epoch(DataLoader.builder(dataset(size)))));
    }
  }

  @Test
  void shouldDrawAnewForASubstitute() {
    Dataset<Augmented> brittle =
        Samples.numbers(12, index -> Samples.failIf(index % 3 == 0, "broken"))
            .map(DrawsTest::augmented);
    List<Drawn> all =
        epoch(DataLoader.builder(brittle).batchSize(4).errorPolicy(ErrorPolicy.substitute()));
    assertThat(all).hasSize(12);
    assertThat(draws(all)).doesNotHaveDuplicates();
  }

  /** So that what a seed stands for does not depend on the order. */
  @Test
  void shouldDrawByTheIndexInEachOrderThatRepeatsNone() {
    long[] some = LongStream.range(0, 60).map(i -> (7 * i) % 60).toArray();
    for (Sampler sampler :
        List.of(
            SequentialSampler.of(60),
            RandomSampler.of(60, 3),
            ShardedSampler.builder(new long[] {20, 25, 15}).runs(2).build(),
            SubsetRandomSampler.of(some, 1),
            TorchSampler.of(60, 1))) {
      for (Drawn sample : epoch(DataLoader.builder(dataset(60)).sampler(sampler))) {
        assertThat(sample.drawn())
            .isEqualTo(new SampleRandom(SEED, 0, sample.index(), 0).nextLong());
      }
    }
  }

  @Test
  void shouldDrawAnewInADatasetThatRepeatsAnother() {
    Dataset<Augmented> repeated = Dataset.of(7, index -> index).map(DrawsTest::augmented).repeat(5);
    List<Drawn> all = epoch(DataLoader.builder(repeated).shuffle(true));
    assertThat(draws(all)).hasSize(35).doesNotHaveDuplicates();
  }
}
