package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.DistributedBatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.LengthBucketBatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.SubsetRandomSampler;
import io.feedline.sampler.WeightedRandomSampler;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Broken samples change the number of steps of no rank alone, bring in no sample of another order
 * or rank, and do so alike for any workers and after a resume.
 */
@Timeout(300)
@ExpectedLog({"SKIP", "SUBSTITUTE", "declares", "deals each sample"})
class RankStepsTest {

  private static final int RUNS = Strength.of(300);

  private record Step(long number, List<Long> indices, String failure) {}

  private static List<Step> steps(DataLoader<Long> loader, int most) {
    List<Step> steps = new ArrayList<>();
    BatchIterator iterator = loader.iterator();
    while (steps.size() < most && iterator.hasNext()) {
      try (Batch batch = iterator.next()) {
        long[] data = batch.tensor("data").toLongArray();
        List<Long> indices = Arrays.stream(data).limit(batch.valid()).boxed().toList();
        steps.add(new Step(batch.number(), indices, ""));
      } catch (LoaderException e) {
        steps.add(new Step(-1, List.of(), String.valueOf(e.getCause())));
      }
    }
    return steps;
  }

  private static final class Training {
    final SplittableRandom random;
    final int size;
    final int ranks;
    final int batchSize;
    final long seed;
    final double broken;
    final ErrorPolicy policy;
    final Remainder remainder;
    final int kind;

    Training(long number) {
      random = new SplittableRandom(number);
      size = 1 + random.nextInt(60);
      ranks = 1 + random.nextInt(4);
      batchSize = 1 + random.nextInt(5);
      seed = random.nextLong();
      broken = random.nextInt(6) / 10.0;
      policy =
          List.of(ErrorPolicy.fail(), ErrorPolicy.skip(), ErrorPolicy.substitute())
              .get(random.nextInt(3));
      remainder = List.of(Remainder.values()).get(random.nextInt(3));
      kind = random.nextInt(7);
    }

    boolean even() {
      return ranks > 1 && remainder != Remainder.EXACT;
    }

    boolean isBroken(long index) {
      return new SplittableRandom(seed + index).nextDouble() < broken;
    }

    Long get(long index) throws IOException {
      Samples.failIf(isBroken(index), "broken " + index);
      return index;
    }

    private Sampler base() {
      double[] weights = new double[size];
      Arrays.setAll(weights, index -> index % 3);
      weights[0] = 1;
      long[] subset = new long[(size + 1) / 2];
      Arrays.setAll(subset, i -> 2L * i);
      return switch (kind) {
        case 0 -> SequentialSampler.of(size);
        case 1 -> RandomSampler.of(size, seed);
        case 2 -> WeightedRandomSampler.of(weights, size, seed);
        default -> SubsetRandomSampler.of(subset, seed);
      };
    }

    /** The batches of a rank's epoch, which its steps are to be. */
    BatchOrder order(int rank, long epoch) {
      return batches(new WorldInfo(rank, ranks)).order(epoch);
    }

    private BatchSampler batches(WorldInfo world) {
      if (kind == 4) {
        return DistributedBatchSampler.of(buckets(), world, remainder);
      }
      Sampler mine =
          kind == 5
              ? dealt(world)
              : DistributedSampler.builder(base(), world).remainder(remainder).build();
      return BatchSampler.of(mine, batchSize, false);
    }

    private BatchSampler buckets() {
      int[] lengths = new int[size];
      Arrays.setAll(lengths, index -> 1 + index * 7 % 11);
      return LengthBucketBatchSampler.of(lengths, batchSize, seed);
    }

    private ShardedSampler dealt(WorldInfo world) {
      long[] shards = new long[5];
      Arrays.fill(shards, size / 5);
      shards[0] += size - size / 5 * 5L;
      return ShardedSampler.builder(shards)
          .windowShards(2)
          .seed(seed)
          .deal(world, remainder)
          .build();
    }

    DataLoader<Long> loader(int rank, int workers, UnaryOperator<DataLoaderBuilder<Long>> more) {
      WorldInfo world = new WorldInfo(rank, ranks);
      DataLoaderBuilder<Long> builder =
          DataLoader.builder(Dataset.of(size, this::get))
              .numWorkers(workers)
              .seed(seed)
              .errorPolicy(policy);
      switch (kind) {
        case 4 -> builder.batchSampler(buckets()).distributed(world, remainder);
        case 5 -> builder.batchSize(batchSize).sampler(dealt(world));
        default -> builder.batchSize(batchSize).sampler(base()).distributed(world, remainder);
      }
      return more.apply(builder).build();
    }
  }

  @Test
  void shouldKeepTheStepsOfAllRanksWhateverIsBroken() {
    for (long number = 0; number < RUNS; number++) {
      Training training = new Training(number);
      Set<Integer> counts = new HashSet<>();
      for (int rank = 0; rank < training.ranks; rank++) {
        int workers = training.random.nextInt(4);
        List<Step> steps;
        long declared;
        try (DataLoader<Long> loader = training.loader(rank, workers, builder -> builder)) {
          declared = loader.size().orElseThrow();
          steps = steps(loader, Integer.MAX_VALUE);
        }
        String run = "run %d, rank %d".formatted(number, rank);
        assertSound(run, training, rank, steps);
        counts.add(steps.size());
        if (training.even()) {
          assertThat(steps).as(run).hasSize((int) declared);
        }
        if (!steps.isEmpty()) {
          int taken = training.random.nextInt(steps.size());
          assertThat(resumed(training, rank, taken, false))
              .as("%s after %d steps", run, taken)
              .isEqualTo(steps.subList(taken, steps.size()));
        }
      }
      if (training.even()) {
        assertThat(counts).as("steps of the ranks in run %d", number).hasSize(1);
      }
    }
  }

  private static List<Step> resumed(Training training, int rank, int taken, boolean single) {
    LoaderState state;
    try (DataLoader<Long> loader = training.loader(rank, 2, builder -> builder)) {
      steps(loader, taken);
      state = LoaderState.fromJson(loader.state().toJson());
    }
    int workers = training.random.nextInt(4);
    try (DataLoader<Long> loader =
        training.loader(rank, workers, builder -> single ? builder.batchSize(1) : builder)) {
      loader.resume(state);
      return steps(loader, Integer.MAX_VALUE);
    }
  }

  private static void assertSound(String run, Training training, int rank, List<Step> steps) {
    BatchOrder order = training.order(rank, 0);
    Set<Long> part = new HashSet<>();
    for (long batch = 0; batch < order.batches(); batch++) {
      part.addAll(rows(order, batch));
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (!step.failure().isEmpty()) {
        continue;
      }
      List<Long> expected = new ArrayList<>(rows(order, step.number()));
      boolean anyBroken = expected.removeIf(training::isBroken);
      assertThat(part).as("the part of %s", run).containsAll(step.indices());
      assertThat(step.indices()).as(run).isNotEmpty();
      switch (training.policy.action()) {
        case FAIL -> assertThat(anyBroken).as(run).isFalse();
        case SKIP -> {
          if (expected.isEmpty()) {
            assertThat(training.even()).as(run).isTrue();
            assertThat(step.indices()).as(run).hasSize(1);
          } else {
            assertThat(step.indices()).as(run).isEqualTo(expected);
          }
        }
        case SUBSTITUTE -> {
          assertThat(step.indices()).as(run).hasSize(order.batchSize(step.number()));
          assertThat(step.indices()).as(run).containsAll(expected);
        }
      }
    }
  }

  private static List<Long> rows(BatchOrder order, long batch) {
    List<Long> rows = new ArrayList<>();
    for (int row = 0; row < order.batchSize(batch); row++) {
      rows.add(order.indexAt(batch, row));
    }
    return rows;
  }

  /** A state may be continued with another batch size, and the same samples follow. */
  @Test
  void shouldDrawTheSameSubstitutesForAnotherBatchSize() {
    int compared = 0;
    for (long number = 0; number < RUNS; number++) {
      Training training = new Training(number);
      if (training.policy.action() == ErrorPolicy.Action.SUBSTITUTE && training.kind != 4) {
        List<Step> all;
        try (DataLoader<Long> loader = training.loader(0, 1, builder -> builder)) {
          all = steps(loader, Integer.MAX_VALUE);
        }
        if (all.size() > 1 && all.stream().allMatch(step -> step.failure().isEmpty())) {
          List<Long> expected =
              all.stream().skip(1).flatMap(step -> step.indices().stream()).toList();
          assertThat(
                  resumed(training, 0, 1, true).stream().flatMap(step -> step.indices().stream()))
              .as("run %d", number)
              .containsExactlyElementsOf(expected);
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(RUNS / 10);
  }

  /** Fewer ranks continue: they make equal steps, and nothing that is left gets lost. */
  @Test
  void shouldKeepTheStepsOfOtherRanksThatContinue() {
    for (long number = 0; number < RUNS; number++) {
      Training training = new Training(number);
      boolean tolerant = training.policy.action() != ErrorPolicy.Action.FAIL;
      if (training.kind > 3 || !training.even() || !tolerant) {
        continue;
      }
      Sampler base = training.base();
      LoaderState state;
      int before = 5;
      try (DataLoader<Long> loader = dealt(training, base, 0, before)) {
        steps(loader, 1);
        state = loader.state();
      }
      Set<Long> left = new HashSet<>();
      long used = (long) before * training.batchSize;
      for (long at = used; at < base.order(0).size(); at++) {
        left.add(base.order(0).indexAt(at));
      }
      left.removeIf(training::isBroken);
      Set<Integer> counts = new HashSet<>();
      Set<Long> seen = new HashSet<>();
      boolean failed = false;
      for (int rank = 0; rank < training.ranks; rank++) {
        try (DataLoader<Long> loader = dealt(training, base, rank, training.ranks)) {
          loader.resume(state);
          List<Step> steps = steps(loader, Integer.MAX_VALUE);
          counts.add(steps.size());
          for (Step step : steps) {
            failed |= !step.failure().isEmpty();
            seen.addAll(step.indices());
          }
        }
      }
      assertThat(counts).as("run %d", number).hasSize(1);
      if (!failed && training.remainder == Remainder.PAD) {
        assertThat(seen).as("run %d", number).containsAll(left);
      }
    }
  }

  private static DataLoader<Long> dealt(Training training, Sampler base, int rank, int ranks) {
    return Samples.loader(
            Dataset.of(training.size, training::get),
            training.batchSize,
            training.random.nextInt(3))
        .sampler(base)
        .distributed(new WorldInfo(rank, ranks), training.remainder)
        .seed(training.seed)
        .errorPolicy(training.policy)
        .build();
  }

  @Test
  void shouldKeepTheStepsOfAllRanksOfAStream() {
    for (long number = 0; number < RUNS; number++) {
      SplittableRandom random = new SplittableRandom(number);
      int ranks = 2 + random.nextInt(3);
      int[] declared = new int[ranks + random.nextInt(4)];
      Arrays.setAll(declared, shard -> 1 + random.nextInt(12));
      int[] held = declared.clone();
      int shortened = random.nextInt(declared.length);
      held[shortened] = random.nextInt(declared[shortened] + 1);

      int[] shown = random.nextBoolean() ? declared : null;
      double broken = random.nextInt(7) / 10.0;
      long seed = number;
      IterableDataset<Long> numbers =
          Samples.shards(shown, held)
              .map(
                  Samples.after(
                      sample ->
                          Samples.failIf(
                              new SplittableRandom(seed + sample).nextDouble() < broken,
                              "broken " + sample)));
      ErrorPolicy policy = random.nextBoolean() ? ErrorPolicy.skip() : ErrorPolicy.fail();
      int batchSize = 1 + random.nextInt(4);
      int last = random.nextInt(3);
      boolean shuffled = random.nextBoolean();
      List<Integer> counts = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        try (DataLoader<Long> loader =
            Samples.loader(numbers, batchSize, random.nextInt(4))
                .dropLast(last == 1)
                .padLast(last == 2)
                .shuffleShards(shuffled)
                .shuffleBuffer(shuffled ? 5 : 0)
                .errorPolicy(policy)
                .distributed(rank, ranks)
                .build()) {
          counts.add(steps(loader, Integer.MAX_VALUE).size());
        }
      }
      assertThat(new HashSet<>(counts)).as("run %d: %s", number, counts).hasSize(1);
    }
  }
}
