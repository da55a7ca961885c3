package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DistributedSamplerTest {

  @Nested
  class OneOfFourRanks extends SamplerContract {
    OneOfFourRanks() {
      super(
          seed -> DistributedSampler.of(RandomSampler.of(1002, seed), 3, 4),
          251,
          LongStream.of(3, 7, 11).map(RandomSampler.of(1002, 7).order(3)::indexAt).toArray());
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).distinct()).hasSize(251).allMatch(i -> i >= 0 && i < 1002);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldDealAllRanksTheSameOrderBetweenThem(Remainder remainder) {
    for (int size = 0; size <= 40; size++) {
      Order base = RandomSampler.of(size, 5).order(0);
      for (int replicas = 1; replicas <= 12; replicas++) {
        List<List<Long>> ranks = ranks(RandomSampler.of(size, 5), replicas, remainder);
        int whole = size / replicas * replicas;
        int total =
            switch (remainder) {
              case PAD -> whole == size ? size : whole + replicas;
              case DROP -> whole;
              case EXACT -> size;
            };
        for (int i = 0; i < total; i++) {
          assertThat(ranks.get(i % replicas).get(i / replicas)).isEqualTo(base.indexAt(i % size));
        }
        assertThat(ranks.stream().mapToInt(List::size).sum()).isEqualTo(total);
        if (remainder != Remainder.EXACT) {
          assertThat(ranks).extracting(List::size).containsOnly(total / replicas);
        }
      }
    }
  }

  @Test
  void shouldKnowTheSizeWithoutTouchingTheBase() {
    Sampler large = epoch -> Order.sequential(1_000_000_000_007L);
    assertThat(DistributedSampler.of(large, 0, 1000).order(0).size()).isEqualTo(1_000_000_001L);
  }

  @Nested
  class Batches extends BatchSamplerContract {
    @SuppressWarnings("unchecked")
    Batches() {
      super(
          seed -> DistributedBatchSampler.of(base(seed), new WorldInfo(1, 4), Remainder.PAD),
          IntStream.of(1, 5, 9, 13, 17, 0)
              .mapToObj(batches(base(7).order(3))::get)
              .toArray(List[]::new));
    }

    private static BatchSampler base(long seed) {
      return BatchSampler.of(RandomSampler.of(205, seed), 10, false);
    }

    @Override
    protected void verifyContents(List<List<Long>> batches) {
      assertThat(batches).hasSize(6).allMatch(batch -> batch.size() == 10);
      assertThat(sortedIndices(batches)).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldDealBatchesInEqualNumbers() {
    BatchSampler base = BatchSampler.of(SequentialSampler.of(25), 10, false);
    for (int rank = 0; rank < 2; rank++) {
      WorldInfo world = new WorldInfo(rank, 2);
      assertThat(batches(base, world, Remainder.PAD)).isEqualTo(2);
      assertThat(batches(base, world, Remainder.DROP)).isEqualTo(1);
      assertThat(batches(base, world, Remainder.EXACT)).isEqualTo(2 - rank);
    }
  }

  private static long batches(BatchSampler base, WorldInfo world, Remainder remainder) {
    return DistributedBatchSampler.of(base, world, remainder).order(0).batches();
  }

  /** Returns the order of each rank in epoch 0. */
  private static List<List<Long>> ranks(Sampler base, int replicas, Remainder remainder) {
    return IntStream.range(0, replicas)
        .mapToObj(
            rank ->
                DistributedSampler.builder(base, new WorldInfo(rank, replicas))
                    .remainder(remainder)
                    .build()
                    .order(0))
        .map(order -> LongStream.of(SamplerContract.indices(order)).boxed().toList())
        .toList();
  }

  @Test
  void shouldReadWhatALauncherSets() {
    assertThat(WorldInfo.fromEnvironment(Map.of("RANK", "3", "WORLD_SIZE", "8", "PATH", "/bin")))
        .isEqualTo(new WorldInfo(3, 8));
    assertThat(WorldInfo.fromEnvironment(Map.of("PATH", "/bin"))).isEqualTo(new WorldInfo(0, 1));
    assertThat(WorldInfo.fromEnvironment()).isEqualTo(WorldInfo.fromEnvironment(System.getenv()));
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("RANK", "3")), "RANK=3, but not WORLD_SIZE");
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("WORLD_SIZE", "8")), "WORLD_SIZE=8, but not RANK");
  }

  @ParameterizedTest
  @CsvSource({
    "x, 8, RANK is not a whole number",
    "'', 8, RANK is not a whole number",
    "0, 2.0, WORLD_SIZE is not a whole number",
    "8, 8, 'rank must be from 0 to 7 in a world of 8, was 8'",
    "-1, 8, 'rank must be from 0 to 7 in a world of 8, was -1'",
    "0, 0, 'worldSize must be 1 or more, was 0'",
  })
  void shouldShowBothVariablesAndWhatIsWrongWithThem(
      String rank, String worldSize, String problem) {
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("RANK", rank, "WORLD_SIZE", worldSize)),
        "the environment sets RANK=%s and WORLD_SIZE=%s: %s".formatted(rank, worldSize, problem));
  }
}
