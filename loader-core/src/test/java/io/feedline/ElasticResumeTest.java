package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.LengthBucketBatchSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run of 256 ranks continues with 192, within an epoch, through states and loaders. */
@Timeout(300)
class ElasticResumeTest {

  private static final int BEFORE = 256;
  private static final int AFTER = 192;

  /** Neither number of ranks divides it, so there is a remainder before and after. */
  private static final int SIZE = 15_011;

  private static final int SHARDS = 375;
  private static final int BATCH_SIZE = 8;

  /** 8 x 256 samples a step: three steps are a multiple of 192 samples. */
  private static final int STEPS = 3;

  /** Batches by length, sorted once for all ranks of the test. */
  private static final BatchSampler.BatchOrder BUCKETS =
      LengthBucketBatchSampler.of(
              IntStream.range(0, SIZE).map(i -> 1 + i % 97).toArray(), BATCH_SIZE, 1)
          .order(0);

  /** The orders that ranks share position by position. */
  enum Shared {
    SEQUENTIAL,
    SHUFFLED,
    SHARDS_SHARED,
    SHARDS_IN_RUNS,
    BATCHES
  }

  private static DataLoaderBuilder<Long> loader(Shared order) {
    DataLoaderBuilder<Long> loader =
        DataLoader.builder(Dataset.of(SIZE, index -> index)).numWorkers(0);
    return switch (order) {
      case SEQUENTIAL -> loader.batchSize(BATCH_SIZE);
      case SHUFFLED -> loader.batchSize(BATCH_SIZE).shuffle(true);
      case SHARDS_SHARED ->
          loader.batchSize(BATCH_SIZE).sampler(ShardedSampler.of(shardSizes(), 16, 1));
      case SHARDS_IN_RUNS ->
          loader
              .batchSize(BATCH_SIZE)
              .sampler(ShardedSampler.builder(shardSizes()).windowShards(4).runs(BEFORE).build());
      case BATCHES -> loader.batchSampler(epoch -> BUCKETS);
    };
  }

  private static long[] shardSizes() {
    long[] sizes = new long[SHARDS];
    Arrays.setAll(sizes, shard -> (long) SIZE / SHARDS + (shard < SIZE % SHARDS ? 1 : 0));
    return sizes;
  }

  private static long read(DataLoader<?> loader, long batches, BitSet seen) {
    long read = 0;
    // Stays open: the state is that of the place where it stands.
    BatchIterator iterator = loader.iterator();
    for (; read < batches && iterator.hasNext(); read++) {
      try (Batch batch = iterator.next()) {
        for (long sample : batch.tensor(0).toLongArray()) {
          if (seen.get((int) sample)) {
            throw new AssertionError("sample %d is read twice".formatted(sample));
          }
          seen.set((int) sample);
        }
      }
    }
    return read;
  }

  @ParameterizedTest
  @EnumSource(names = {"SHUFFLED", "SHARDS_IN_RUNS", "BATCHES"})
  void shouldReadWhatIsLeftOnceInEquallyManySteps(Shared order) {
    // The remainder is left out: what is repeated instead would hide what is read twice.
    BitSet seen = new BitSet(SIZE);
    String state = null;
    for (int rank = 0; rank < BEFORE; rank++) {
      try (DataLoader<Long> loader =
          loader(order).distributed(new WorldInfo(rank, BEFORE), Remainder.DROP).build()) {
        assertThat(read(loader, STEPS, seen)).isEqualTo(STEPS);
        // Any rank's state will do.
        state = rank == BEFORE / 2 ? loader.state().toJson() : state;
      }
    }
    assertThat(seen.cardinality()).isEqualTo(STEPS * BATCH_SIZE * BEFORE);
    long steps = -1;
    for (int rank = 0; rank < AFTER; rank++) {
      try (DataLoader<Long> loader =
          loader(order).distributed(new WorldInfo(rank, AFTER), Remainder.DROP).build()) {
        loader.resume(LoaderState.fromJson(state));
        long own = read(loader, Long.MAX_VALUE, seen);
        steps = rank == 0 ? own : steps;
        assertThat(own).as("steps of rank %d", rank).isEqualTo(steps).isPositive();
      }
    }
    int dropped = order == Shared.BATCHES ? AFTER * BATCH_SIZE : AFTER;
    assertThat(SIZE - seen.cardinality()).as("left out").isLessThan(dropped);
  }

  /** From 13 ranks to 7, 10 and 3: each continues within a round of the one before. */
  @ParameterizedTest
  @EnumSource
  void shouldGoOnAgainAndAgainBehindAnyStep(Shared order) {
    BitSet seen = new BitSet(SIZE);
    LoaderState state = null;
    long used = 0;
    for (int ranks : new int[] {13, 7, 7, 10, 3}) {
      LoaderState next = null;
      for (int rank = 0; rank < ranks; rank++) {
        try (DataLoader<Long> loader =
            loader(order).distributed(new WorldInfo(rank, ranks), Remainder.EXACT).build()) {
          if (state != null) {
            loader.resume(LoaderState.fromJson(state.toJson()));
            assertThat(loader.state().values().offset()).isEqualTo(used % ranks);
          }
          read(loader, ranks == 3 ? Long.MAX_VALUE : 5, seen);
          next = loader.state();
        }
      }
      state = next;
      used = state.values().offset() + state.position() * ranks;
    }
    assertThat(seen.cardinality()).isEqualTo(SIZE);
    assertThat(state.epoch()).isEqualTo(1);
    assertThat(state.values().offset()).as("the next epoch begins with a round").isZero();
  }

  @ParameterizedTest
  @EnumSource
  void shouldMakeEquallyManyStepsBehindAnyStep(Shared order) {
    int after = 97;
    for (Remainder remainder : new Remainder[] {Remainder.PAD, Remainder.DROP}) {
      LoaderState state =
          Samples.stateAfter(
              loader(order).distributed(new WorldInfo(9, BEFORE), remainder).build(), 4);
      long steps = -1;
      int[] times = new int[SIZE];
      for (int rank = 0; rank < after; rank++) {
        try (DataLoader<Long> loader =
            loader(order).distributed(new WorldInfo(rank, after), remainder).build()) {
          loader.resume(state);
          long own = 0;
          for (Batch batch : loader) {
            try (batch) {
              own++;
              for (long sample : batch.tensor(0).toLongArray()) {
                times[(int) sample]++;
              }
            }
          }
          steps = rank == 0 ? own : steps;
          assertThat(own).isEqualTo(steps).isPositive();
        }
      }
      int most = order == Shared.BATCHES ? after * BATCH_SIZE : after;
      int left = SIZE - 4 * BEFORE * BATCH_SIZE;
      if (remainder == Remainder.PAD) {
        // Samples that are read again may have been read by the ranks before.
        assertThat(Arrays.stream(times).filter(count -> count > 0).count())
            .isBetween((long) left, (long) left + most);
        assertThat(Arrays.stream(times).sum()).isBetween(left, left + most);
      } else {
        assertThat(times).containsOnly(0, 1);
        assertThat(Arrays.stream(times).sum()).isBetween(left - most, left);
      }
    }
  }

  @Test
  void shouldWriteAnOffsetWhereThereIsOne() {
    LoaderState state = Samples.stateAfter(loader(Shared.SHUFFLED).distributed(0, 4).build(), 1);
    assertThat(state.toJson()).doesNotContain("offset");
    try (DataLoader<Long> loader = loader(Shared.SHUFFLED).distributed(0, 5).build()) {
      loader.resume(state);
      assertThat(loader.state().toJson()).contains("\"position\":6", "\"offset\":2");
      assertThat(LoaderState.fromJson(loader.state().toJson())).isEqualTo(loader.state());
    }
    // A damaged one is no crash.
    try (DataLoader<Long> loader = loader(Shared.SHUFFLED).build()) {
      assertThatThrownBy(() -> LoaderState.fromJson(rewritten(state.toJson(), 1, 5)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a loader's state: 'offset' must be from 0 to 0, was 5");
      Refusals.assertRefused(
          () ->
              loader.resume(
                  LoaderState.fromJson(
                      rewritten(ChangedState.with(state, "position", MANY).toJson(), 9, 1))),
          "9 ranks cannot have used up " + MANY + " samples each");
    }
    // One rank alone has no rounds.
    try (DataLoader<Long> loader = loader(Shared.SHUFFLED).build()) {
      loader.resume(state);
      assertThat(loader.state().position()).isEqualTo(32);
      assertThat(loader.state().values().offset()).isZero();
    }
  }

  /** A position times the ranks has to fit where only reading tells how many samples there are. */
  @Test
  void shouldRefuseAPlaceInAStreamThatIsBeyondAnyNumber() {
    LoaderState state = Samples.stateAfter(stream(3, 60, false, 0, 4).build(), 1);
    try (DataLoader<Long> loader = stream(3, 60, false, 0, 3).build()) {
      Refusals.assertRefused(
          () -> loader.resume(ChangedState.with(state, "position", MANY)),
          "4 ranks cannot have used up " + MANY + " samples each");
    }
  }

  private static final long MANY = Long.MAX_VALUE / 2;

  private static String rewritten(String state, int ranks, long offset) {
    return ChangedState.checked(
        state.replace(
            "\"world_size\":4", "\"world_size\":%d,\"offset\":%d".formatted(ranks, offset)));
  }

  @Test
  void shouldRefuseAnotherNumberOfRanksWhereEachHasARunOfShards() {
    LoaderState taken = Samples.stateAfter(dealt(5, BEFORE).build(), STEPS);
    try (DataLoader<Long> loader = dealt(5, AFTER).build()) {
      Refusals.assertRefused(
          () -> loader.resume(taken),
          "rank 5 of 192 has an order of its own (ShardedSampler.deal)",
          "with ShardedSampler.runs any number of ranks can");
    }
    try (DataLoader<Long> loader = dealt(5, BEFORE).build()) {
      loader.resume(taken);
      assertThat(loader.state()).isEqualTo(taken);
    }
  }

  private static DataLoaderBuilder<Long> dealt(int rank, int ranks) {
    return Samples.loader(Dataset.of(SIZE, index -> index), BATCH_SIZE, 0)
        .sampler(
            ShardedSampler.builder(shardSizes())
                .deal(new WorldInfo(rank, ranks), Remainder.PAD)
                .build());
  }

  @Test
  void shouldRefuseAnotherNumberOfRanksWhereTheyShareAStreamByItsShards() {
    LoaderState state = Samples.stateAfter(stream(SHARDS, 10, true, 5, BEFORE).build(), 2);
    try (DataLoader<Long> loader = stream(SHARDS, 10, true, 5, AFTER).build()) {
      Refusals.assertRefused(
          () -> loader.resume(LoaderState.fromJson(state.toJson())),
          "192 ranks share the epoch by its shards",
          "continue with 256, each from its own state, or begin another epoch, with epoch(1)");
    }
    try (DataLoader<Long> loader = stream(SHARDS, 10, true, 6, BEFORE).build()) {
      Refusals.assertThrown(
          Exception.class,
          () -> loader.resume(state),
          "256 ranks may have shared its shards",
          "the same number of ranks can continue, from its own state");
    }
    // The refusal's advice.
    try (DataLoader<Long> loader = stream(SHARDS, 10, true, 5, BEFORE).build()) {
      loader.resume(state);
      assertThat(loader.state().position()).isEqualTo(state.position());
    }
  }

  private static DataLoaderBuilder<Long> stream(
      int shards, int samples, boolean declared, int rank, int ranks) {
    int[] sizes = new int[shards];
    Arrays.fill(sizes, samples);
    return Samples.loader(Samples.shards(declared, sizes), 3, 0)
        .shuffleShards(true)
        .distributed(rank, ranks);
  }
}
