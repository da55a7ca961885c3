package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.IterableDataset;
import io.feedline.data.Shards;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.WorldInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams whose samples are dealt to ranks in turn, since their shards cannot be. */
@Timeout(60)
class StreamRanksTest {

  private static DataLoaderBuilder<Probe> loader(
      IterableDataset<Probe> dataset, int rank, int ranks, Remainder remainder) {
    return DataLoader.builder(dataset)
        .batchSize(2)
        .distributed(new WorldInfo(rank, ranks), remainder);
  }

  private static List<Long> dealt(List<Long> all, int rank, int ranks, Remainder remainder) {
    int end = remainder == Remainder.DROP ? all.size() / ranks * ranks : all.size();
    return Samples.dealt(all.subList(0, end), rank, ranks);
  }

  @ParameterizedTest
  @CsvSource({"2,20", "2,21", "3,20", "3,22", "5,4", "5,5", "7,20", "4,0", "32,20"})
  void shouldDealSampleIToRankIModuloTheRanks(int ranks, int samples) {
    for (Remainder remainder : List.of(Remainder.DROP, Remainder.EXACT)) {
      for (int rank = 0; rank < ranks; rank++) {
        for (int workers : new int[] {0, 3}) {
          Shards shards = Shards.of(samples);
          try (DataLoader<Probe> loader =
              loader(shards, rank, ranks, remainder).numWorkers(workers).build()) {
            assertThat(loader.size()).isEmpty();
            List<Long> expected = dealt(Samples.upTo(samples), rank, ranks, remainder);
            assertThat(Samples.rest(loader.iterator())).isEqualTo(expected);
            assertThat(Samples.rest(loader.iterator())).isEqualTo(expected);
          }
          shards.assertAllClosed();
          assertThat(shards.mostOpen()).isLessThanOrEqualTo(workers == 0 ? 1 : 2);
        }
      }
    }
  }

  /** The order is that of one rank alone, whatever mixes it. */
  @ParameterizedTest
  @CsvSource({"1,1,0", "2,3,0", "2,3,6", "8,1,6", "0,2,40"})
  @ExpectedLog("not all their sizes are declared")
  void shouldDealTheStreamAsOneRankWouldReadIt(int workers, int interleave, int shuffleBuffer) {
    int ranks = 3;
    List<DataLoader<Probe>> loaders = new ArrayList<>();
    Supplier<DataLoaderBuilder<Probe>> options =
        () ->
            Samples.loader(Shards.of(9, 0, 4, 13, 6), 2, workers)
                .interleave(interleave)
                .shuffleShards(true)
                .shuffleBuffer(shuffleBuffer);
    try (DataLoader<Probe> alone = options.get().build()) {
      for (int rank = 0; rank < ranks; rank++) {
        loaders.add(options.get().distributed(rank, ranks).build());
      }
      for (int epoch = 0; epoch < 3; epoch++) {
        List<Long> all = Samples.rest(alone.iterator());
        assertThat(all).containsExactlyInAnyOrderElementsOf(Samples.upTo(32));
        for (int rank = 0; rank < ranks; rank++) {
          assertThat(Samples.rest(loaders.get(rank).iterator()))
              .isEqualTo(dealt(all, rank, ranks, Remainder.DROP));
        }
      }
    } finally {
      loaders.forEach(DataLoader::close);
    }
  }

  @Test
  void shouldDealShardsWhereTheirSizesAreDeclaredAndSamplesWhereTheyAreNot() {
    Shards declared = Shards.of(4, 4, 4).declaringSizes();
    try (DataLoader<Probe> loader = loader(declared, 1, 2, Remainder.DROP).build()) {
      assertThat(Samples.rest(loader.iterator())).containsExactly(4L, 5L, 6L, 7L);
      assertThat(loader.size()).hasValue(2);
    }
    // Fewer shards than ranks, so their samples are dealt; how many is known.
    Shards few = Shards.of(4, 5).declaringSizes();
    for (Remainder remainder : List.of(Remainder.DROP, Remainder.EXACT)) {
      for (int rank = 0; rank < 4; rank++) {
        try (DataLoader<Probe> loader =
            loader(few, rank, 4, remainder).batchSize(1).numWorkers(1).build()) {
          List<Long> expected = dealt(Samples.upTo(9), rank, 4, remainder);
          assertThat(loader.size()).hasValue(expected.size());
          assertThat(Samples.rest(loader.iterator())).isEqualTo(expected);
        }
      }
    }
    Shards unknown = Shards.of(4, 4, 4);
    try (CapturedLog log = new CapturedLog();
        DataLoader<Probe> dealt = loader(unknown, 1, 2, Remainder.DROP).build();
        DataLoader<Probe> exact = loader(unknown, 1, 2, Remainder.EXACT).build()) {
      assertThat(log.lines("each of 2 ranks reads all 3 shards of Shards")).hasSize(1);
      assertThat(Samples.rest(dealt.iterator())).containsExactly(1L, 3L, 5L, 7L, 9L, 11L);
      assertThat(Samples.rest(exact.iterator())).containsExactly(4L, 5L, 6L, 7L);
    }
  }

  /** A rank with nothing but empty files would end the epoch of all. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void shouldDealNoEmptyShards(int ranks) {
    int[] sizes = {8, 0, 8, 0, 8, 0, 0, 8, 0, 0};
    for (boolean shuffled : new boolean[] {false, true}) {
      for (long epoch = 0; epoch < 4; epoch++) {
        List<Long> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
          try (DataLoader<Probe> loader =
              loader(Shards.of(sizes).declaringSizes(), rank, ranks, Remainder.DROP)
                  .shuffleShards(shuffled)
                  .build()) {
            all.addAll(Samples.next(loader.epoch(epoch).iterator(), Integer.MAX_VALUE));
          }
        }
        // Of three ranks, one has two of the four shards, and the others end it behind one.
        assertThat(all).doesNotHaveDuplicates().hasSize(ranks == 3 ? 24 : ranks == 5 ? 30 : 32);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|0, 2, position 4 of the stream, sample 4 of shard 0 of Shards: cannot read 4, 6, 8",
        "1|1, position 3 of the stream, sample 3 of shard 0 of Shards: cannot read 3, 5, 7, 9"
      })
  void shouldGiveAFailureToTheRankThatItsSampleBelongsTo(int rank, String story) {
    Shards shards = Shards.of(10).failingAt(3L, 4L);
    try (DataLoader<Probe> loader =
        loader(shards, rank, 2, Remainder.DROP).batchSize(1).numWorkers(1).build()) {
      List<String> found =
          Samples.story(
              loader,
              batch -> "" + batch.tensor("index").toLongArray()[0],
              e -> e.description() + ": " + e.getCause().getMessage());
      assertThat(String.join(", ", found)).isEqualTo(story);
    }
  }

  private static IterableDataset<Probe> endless(AtomicLong asked) {
    return IterableDataset.of(
        () ->
            LongStream.iterate(0, i -> i + 1)
                .peek(i -> asked.incrementAndGet())
                .mapToObj(Probes::probe)
                .iterator());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldDealAnEndlessStreamAndReadNoFurtherThanItMust(int workers) {
    int ranks = 3;
    for (int rank = 0; rank < ranks; rank++) {
      AtomicLong asked = new AtomicLong();
      int prefetch = workers == 0 ? 0 : 2;
      DataLoaderBuilder<Probe> builder =
          loader(endless(asked), rank, ranks, Remainder.DROP).numWorkers(workers);
      if (workers > 0) {
        builder.prefetch(prefetch);
      }
      try (DataLoader<Probe> loader = builder.build()) {
        List<Long> expected = dealt(Samples.upTo(300), rank, ranks, Remainder.DROP).subList(0, 100);
        assertThat(Samples.next(loader.iterator(), 50)).isEqualTo(expected);
        // The next epoch begins at the beginning.
        assertThat(Samples.next(loader.iterator(), 50)).isEqualTo(expected);
        assertThat(loader.size()).isEqualTo(OptionalLong.empty());
      }
      // Two epochs of 50 batches of 2, a batch in the making, and those ahead.
      assertThat(asked.get()).isLessThanOrEqualTo(2L * ranks * 2 * (50 + 2 + prefetch));
    }
  }

  private static DataLoaderBuilder<Probe> resumable(int rank, int ranks, boolean seekable) {
    Shards shards = seekable ? Shards.of(60).seekable() : Shards.of(60);
    return loader(shards, rank, ranks, Remainder.DROP).batchSize(1).numWorkers(1);
  }

  @ParameterizedTest
  @CsvSource({"1,4,false", "4,1,true", "4,2,false", "2,3,true", "3,5,false", "6,4,true"})
  void shouldGoOnWithAnotherNumberOfRanks(int before, int after, boolean seekable) {
    for (int rounds : new int[] {after, 2 * after}) {
      List<Long> found = new ArrayList<>();
      LoaderState state = null;
      for (int rank = 0; rank < before; rank++) {
        try (DataLoader<Probe> loader = resumable(rank, before, seekable).build()) {
          found.addAll(Samples.next(loader.iterator(), rounds));
          LoaderState own = loader.state();
          // Any rank's state will do: the place is that of all of them.
          state = state == null ? own : state;
          assertThat(own.position()).isEqualTo(state.position());
          assertThat(own.values().order()).isEqualTo(state.values().order());
        }
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(Samples.upTo((long) rounds * before));
      for (int rank = 0; rank < after; rank++) {
        try (DataLoader<Probe> loader = resumable(rank, after, seekable).build()) {
          loader.resume(LoaderState.fromJson(state.toJson()));
          found.addAll(Samples.rest(loader.iterator()));
        }
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(Samples.upTo(60L / after * after));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldReadNothingTwiceWhereADealtStreamSeeks(boolean exact) {
    Remainder remainder = exact ? Remainder.EXACT : Remainder.DROP;
    for (int rank = 0; rank < 3; rank++) {
      LoaderState state =
          Samples.stateAfter(
              loader(Shards.of(30).seekable(), rank, 3, remainder).numWorkers(0).build(), 3);
      Shards shards = Shards.of(30).seekable();
      try (DataLoader<Probe> loader = loader(shards, rank, 3, remainder).numWorkers(0).build()) {
        loader.resume(state);
        assertThat(Samples.rest(loader.iterator()))
            .isEqualTo(dealt(Samples.upTo(30), rank, 3, remainder).subList(6, 10));
      }
      // Of the last round that was begun, at most those of the ranks behind this one.
      assertThat(shards.read()).isBetween(12, exact ? 14 : 12);
    }
  }
}
