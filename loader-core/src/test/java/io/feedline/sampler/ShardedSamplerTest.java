package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ShardedSamplerTest {

  /** 494 samples in 24 shards, some of them empty. */
  private static final long[] SHARDS =
      LongStream.range(0, 24).map(i -> i % 6 == 2 ? 0 : 3 + i * 37 % 50).toArray();

  private static final int SAMPLES = (int) Arrays.stream(SHARDS).sum();

  @Nested
  class OnOneRank extends SamplerContract {
    OnOneRank() {
      super(
          seed -> ShardedSampler.of(SHARDS, 4, seed),
          SAMPLES,
          new long[] {450, 447, 465, 175, 173, 171, 446, 469});
    }
  }

  @Nested
  class DealtToThreeRanks extends SamplerContract {
    DealtToThreeRanks() {
      super(
          seed -> dealt(SHARDS, 2, 3, Remainder.PAD).windowShards(4).seed(seed).build(),
          (SAMPLES + 2L) / 3,
          new long[] {290, 284, 46, 278, 264, 207, 272, 327});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).distinct())
          .hasSize((SAMPLES + 2) / 3)
          .allMatch(i -> i >= 0 && i < SAMPLES);
    }
  }

  @Test
  void shouldReadEachShardInOneWindowOfAtMostSoManyShards() {
    for (int window : new int[] {1, 2, 5, 24, 1000}) {
      for (long epoch = 0; epoch < 20; epoch++) {
        assertWindows(
            SamplerContract.indices(ShardedSampler.of(SHARDS, window, 3).order(epoch)), window);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldDealEachRankItsOwnRunOfShards(Remainder remainder) {
    for (int replicas : new int[] {1, 2, 3, 7, 24, 100}) {
      for (long epoch = 0; epoch < 5; epoch++) {
        long[] seen = new long[SAMPLES];
        int opened = 0;
        for (int rank = 0; rank < replicas; rank++) {
          WorldInfo world = new WorldInfo(rank, replicas);
          long[] indices =
              SamplerContract.indices(
                  dealt(SHARDS, rank, replicas, remainder).windowShards(2).build().order(epoch));
          assertThat(indices.length).isEqualTo((int) remainder.share(SAMPLES, world));
          long own =
              Math.max(0, Math.min(indices.length, SAMPLES - remainder.start(SAMPLES, world)));
          assertWindows(Arrays.copyOf(indices, (int) own), 2);
          opened +=
              (int) Arrays.stream(indices, 0, (int) own).map(i -> shardOf(i)).distinct().count();
          for (long index : indices) {
            seen[(int) index]++;
          }
        }
        long left = SAMPLES % replicas;
        long total = Arrays.stream(seen).sum();
        assertThat(opened).as("shards opened").isLessThanOrEqualTo(SHARDS.length + replicas - 1);
        switch (remainder) {
          case EXACT -> assertThat(seen).containsOnly(1);
          case DROP -> {
            assertThat(Arrays.stream(seen)).allMatch(count -> count <= 1);
            assertThat(total).isEqualTo(SAMPLES - left);
          }
          case PAD -> {
            assertThat(Arrays.stream(seen)).allMatch(count -> count == 1 || count == 2);
            assertThat(total).isEqualTo(left == 0 ? SAMPLES : SAMPLES - left + replicas);
          }
        }
      }
    }
  }

  @Nested
  class InFiveRuns extends SamplerContract {
    InFiveRuns() {
      super(
          seed -> ShardedSampler.builder(SHARDS).windowShards(2).seed(seed).runs(5).build(),
          SAMPLES,
          new long[] {176, 405, 166, 0, 283, 182, 410, 149});
    }
  }

  /** Run i is what {@code deal} gives rank i, so that each is read with the same locality. */
  @Test
  void shouldTakeTurnsAmongTheRunsOfSoManyRanks() {
    for (int runs : new int[] {2, 5, 24, 600}) {
      Order order = ShardedSampler.builder(SHARDS).windowShards(3).runs(runs).build().order(4);
      assertThat(order.size()).isEqualTo(SAMPLES);
      Order[] dealt = new Order[runs];
      Arrays.setAll(
          dealt, run -> dealt(SHARDS, run, runs, Remainder.EXACT).windowShards(3).build().order(4));
      for (int position = 0; position < SAMPLES; position++) {
        assertThat(order.indexAt(position))
            .isEqualTo(dealt[position % runs].indexAt(position / runs));
      }
    }
  }

  /** Also where the ranks do not divide the runs: 4 of 8 are shared by 3 of 6 ranks each. */
  @ParameterizedTest
  @CsvSource({"8,8,1", "8,4,2", "8,2,4", "8,6,4", "24,8,3", "24,6,4"})
  void shouldGiveARankOfADistributedSamplerTheShardsOfItsRuns(int runs, int ranks, int own) {
    long[] shards = new long[480];
    Arrays.fill(shards, 20);
    Sampler base = ShardedSampler.builder(shards).windowShards(2).runs(runs).build();
    long[] seen = new long[480 * 20];
    for (int rank = 0; rank < ranks; rank++) {
      long[] indices = SamplerContract.indices(DistributedSampler.of(base, rank, ranks).order(1));
      LongStream.of(indices).forEach(index -> seen[(int) index]++);
      assertThat(LongStream.of(indices).map(index -> index / 20).distinct().count())
          .as("shards of rank %d", rank)
          .isEqualTo(480L / runs * own);
      // So many samples are the first window of each run, 2 shards of 20, but for other ranks'.
      long together =
          LongStream.of(indices).limit(40L * runs / ranks).map(i -> i / 20).distinct().count();
      assertThat(together).as("shards that are read at a time").isLessThanOrEqualTo(own * 2L);
    }
    assertThat(seen).containsOnly(1);
  }

  @Test
  void shouldRepeatTheHeadAsOftenAsNeeded() {
    long[] counts = new long[3];
    for (int rank = 0; rank < 8; rank++) {
      Order order = dealt(new long[] {1, 0, 2}, rank, 8, Remainder.PAD).build().order(0);
      assertThat(order.size()).isEqualTo(1);
      counts[(int) order.indexAt(0)]++;
    }
    assertThat(counts).containsExactlyInAnyOrder(2, 3, 3);
  }

  @Test
  void shouldPutEachIndexAtEachPositionEquallyOften() {
    Sampler sampler = ShardedSampler.of(new long[] {3, 3, 3, 3}, 2, 1);
    long[][] counts = new long[12][12];
    for (long epoch = 0; epoch < 60_000; epoch++) {
      Order order = sampler.order(epoch);
      for (int position = 0; position < 12; position++) {
        counts[position][(int) order.indexAt(position)]++;
      }
    }
    for (int position = 0; position < 12; position++) {
      ChiSquared.assertUniform("position " + position, counts[position]);
    }
  }

  /** Windows of one size must not be shuffled alike, nor ranks that share a shard. */
  @Test
  void shouldShuffleWindowsAndRanksIndependently() {
    Sampler windows = ShardedSampler.of(new long[] {6, 6}, 1, 5);
    Sampler first = dealt(new long[] {12}, 0, 2, Remainder.PAD).seed(5).build();
    Sampler second = dealt(new long[] {12}, 1, 2, Remainder.PAD).seed(5).build();
    long[] windowPairs = new long[36];
    long[] rankPairs = new long[36];
    for (long epoch = 0; epoch < 40_000; epoch++) {
      Order order = windows.order(epoch);
      windowPairs[(int) (order.indexAt(0) % 6 * 6 + order.indexAt(6) % 6)]++;
      long other = second.order(epoch).indexAt(0) % 6;
      rankPairs[(int) (first.order(epoch).indexAt(0) % 6 * 6 + other)]++;
    }
    ChiSquared.assertUniform("windows", windowPairs);
    ChiSquared.assertUniform("ranks", rankPairs);
  }

  @Test
  void shouldTakeNoMemoryPerSample() {
    long[] shards = new long[1000];
    Arrays.fill(shards, 1L << 52);
    Order order = ShardedSampler.of(shards, 8, 1).order(0);
    assertThat(order.size()).isEqualTo(1000L << 52);
    long start = 8L << 52;
    assertThat(LongStream.range(start, start + 1000).map(i -> order.indexAt(i) >>> 52).distinct())
        .hasSize(8);
  }

  @Test
  void shouldGiveAnEmptyEpochOfNothing() {
    for (ShardedSampler none :
        List.of(
            ShardedSampler.of(new long[0], 4, 1),
            ShardedSampler.of(new long[] {0, 0}, 4, 1),
            dealt(new long[0], 1, 2, Remainder.PAD).build())) {
      assertThat(none.order(0).size()).isZero();
    }
  }

  private static ShardedSampler.Builder dealt(
      long[] shards, int rank, int ranks, Remainder remainder) {
    return ShardedSampler.builder(shards).deal(new WorldInfo(rank, ranks), remainder);
  }

  @Test
  void shouldRejectWhatCannotBe() {
    assertRefused(() -> ShardedSampler.builder(new long[] {3, -1}), "was -1 for shard 1");
    assertRefused(() -> ShardedSampler.builder(new long[] {1L << 62, 1}), "shard 1 with its 1 ex");
    ShardedSampler.Builder builder = ShardedSampler.builder(SHARDS);
    assertRefused(() -> builder.windowShards(0), "windowShards must be 1 or more, was 0");
    assertRefused(() -> builder.runs(0), "runs must be from 1 to 1048576, was 0");
    assertRefused(
        () -> builder.runs(4).deal(new WorldInfo(1, 2), Remainder.PAD).build(),
        "runs(4) does not go with deal(WorldInfo[rank=1, worldSize=2], PAD)");
  }

  /** Fails if more shards than that are open at once, from their first sample to their last. */
  private static void assertWindows(long[] indices, int window) {
    int[] first = new int[SHARDS.length];
    int[] last = new int[SHARDS.length];
    Arrays.fill(first, -1);
    for (int position = 0; position < indices.length; position++) {
      int shard = shardOf(indices[position]);
      first[shard] = first[shard] < 0 ? position : first[shard];
      last[shard] = position;
    }
    int[] change = new int[indices.length + 1];
    for (int shard = 0; shard < SHARDS.length; shard++) {
      if (first[shard] >= 0) {
        change[first[shard]]++;
        change[last[shard] + 1]--;
      }
    }
    Arrays.parallelPrefix(change, Integer::sum);
    assertThat(Arrays.stream(change).max().orElseThrow())
        .as("shards open at once")
        .isLessThanOrEqualTo(window);
  }

  private static int shardOf(long index) {
    long end = 0;
    for (int shard = 0; ; shard++) {
      end += SHARDS[shard];
      if (index < end) {
        return shard;
      }
    }
  }
}
