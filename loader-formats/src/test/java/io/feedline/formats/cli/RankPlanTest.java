package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.feedline.Batch;
import io.feedline.DataLoader;
import io.feedline.sampler.Order;
import io.feedline.sampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.WorldInfo;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** 1024 ranks over a billion examples in 100 000 shards: orders only, with the real loaders. */
class RankPlanTest {

  private static final int RANKS = 1024;

  private static RankWorkload workload(
      int ranks, long examples, int shards, Remainder remainder, RankWorkload.Resume resume) {
    return new RankWorkload(
        ranks,
        2,
        examples,
        OptionalInt.of(shards),
        32,
        Optional.ofNullable(remainder),
        16,
        ranks,
        Optional.ofNullable(resume));
  }

  private static RankPlan plan(RankOrder order, RankWorkload workload) {
    return RankPlan.of(
        order,
        workload,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalInt.empty(),
        new AtomicLong()::incrementAndGet);
  }

  private static RankPlan billion(RankOrder order, int ranks, long step) {
    return plan(
        order, workload(RANKS, 1_000_000_000, 100_000, null, new RankWorkload.Resume(ranks, step)));
  }

  /** 976 562.5 examples a rank; 97.66 shards, so that a stream goes by 97 of 10 000. */
  @ParameterizedTest
  @CsvSource({
    "SEQUENTIAL, 30518, 976563, 512, 0, 100000, 100000",
    "SHUFFLE, 30518, 976563, 512, 0, 99994, 100000",
    "SHARDS, 30518, 976563, 512, 0, 100000, 100000",
    "RUNS, 30518, 976563, 512, 0, 98, 196",
    "DEAL, 30518, 976563, 512, 0, 98, 196",
    "STREAM, 30313, 970000, 0, 6720000, 98, 196",
    "STREAM_SAMPLES, 30518, 976562, 0, 512, 100000, 100000",
  })
  void shouldPlanABillionExamples(
      RankOrder order, long steps, long examples, long twice, long out, int shards, int ofNode) {
    RankPlan plan = billion(order, 768, 9000);

    assertThat(plan.steps()).isEqualTo(range(steps));
    assertThat(plan.examples()).isEqualTo(range(examples));
    assertThat(plan.readTwice()).isEqualTo(twice);
    assertThat(plan.leftOut()).isEqualTo(out);
    assertThat(examples * RANKS - twice + out).isEqualTo(1_000_000_000);
    assertThat(plan.shardsOfRank()).hasValue(shards);
    assertThat(plan.shardsOfNode()).hasValue(ofNode);
    // Each look at the clock of this test is a nanosecond after the one before.
    assertThat(plan.firstBatchSeconds()).isEqualTo(OptionalDouble.of(1e-9));
    RankPlan.Resumed resumed = plan.resumed().orElseThrow();
    assertThat(resumed.samplesBefore()).isEqualTo(9000L * 32 * RANKS);
    switch (order) {
      case DEAL -> assertThat(resumed.refusal()).contains("rank 0 of 768 has an order of its own");
      case STREAM -> assertThat(resumed.refusal()).contains("768 ranks share the epoch by its sh");
      default -> {
        assertThat(resumed.refusal()).isNull();
        // (10^9 - 294912000) / 768 = 918083.3, in batches of 32
        assertThat(resumed.steps()).isEqualTo(range(28691));
      }
    }
    if (order == RankOrder.SEQUENTIAL) {
      assertThat(resumed.firstExample()).hasValue(294_912_000);
    } else if (order == RankOrder.SHUFFLE) {
      Order all = RankOrder.SHUFFLE.all(workload(1, 1_000_000_000, 1, null, null)).order(0);
      assertThat(resumed.firstExample()).hasValue(all.indexAt(294_912_000));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RankOrder.class,
      names = {"STREAM", "STREAM_SAMPLES"})
  void shouldNotRepeatExamplesOfAStream(RankOrder order) {
    RankWorkload padded = workload(RANKS, 20_011, 1500, Remainder.PAD, null);
    assertThat(plan(order, padded))
        .isEqualTo(plan(order, workload(RANKS, 20_011, 1500, null, null)));
    assertThat(plan(order, padded).remainder()).isEqualTo(Remainder.DROP);
  }

  private static RankPlan.Range range(long both) {
    return new RankPlan.Range(OptionalLong.of(both), OptionalLong.of(both));
  }

  /** 229 376 examples are used up, which is no multiple of 768, nor is what is left of 10^6. */
  @ParameterizedTest
  @CsvSource({
    "SEQUENTIAL, PAD, 1004, 1004",
    "SHUFFLE, DROP, 1003, 1003",
    "SHUFFLE, EXACT, 1003, 1004",
    "STREAM_SAMPLES, DROP, 1003, 1003",
  })
  void shouldPlanARestThatBeginsWithinARound(
      RankOrder order, Remainder remainder, long fewest, long most) {
    RankWorkload workload =
        new RankWorkload(
            RANKS,
            8,
            1_000_000,
            OptionalInt.empty(),
            1,
            Optional.of(remainder),
            16,
            1,
            Optional.of(new RankWorkload.Resume(768, 224)));

    RankPlan.Resumed resumed = plan(order, workload).resumed().orElseThrow();

    assertThat(resumed.possible()).as(resumed.refusal()).isTrue();
    assertThat(resumed.samplesBefore()).isEqualTo(229_376);
    assertThat(resumed.steps())
        .isEqualTo(new RankPlan.Range(OptionalLong.of(fewest), OptionalLong.of(most)));
    if (order == RankOrder.SEQUENTIAL) {
      assertThat(resumed.firstExample()).hasValue(229_376);
    }
  }

  @Test
  void shouldSayThatAnEpochIsNotSoLong() {
    assertThat(
            plan(RankOrder.SHUFFLE, workload(4, 1000, 10, null, new RankWorkload.Resume(2, 9)))
                .resumed()
                .orElseThrow()
                .refusal())
        .isEqualTo("an epoch of 4 ranks has 8 steps only");
  }

  /**
   * What is computed above for a billion, here counted: the loaders of all 1024 ranks, each to its
   * end, over so many examples that there is a remainder of examples, of shards and of their sizes.
   */
  @ParameterizedTest
  @EnumSource
  void shouldReadEachExampleAsOftenAsItSays(RankOrder order) {
    int examples = order == RankOrder.STREAM_SAMPLES ? 2003 : 20_011;
    for (Remainder remainder : Remainder.values()) {
      if (order.streams() && remainder == Remainder.PAD) {
        continue; // the same as DROP
      }
      RankWorkload workload = workload(RANKS, examples, 1500, remainder, null);
      RankPlan plan = plan(order, workload);
      byte[] seen = new byte[examples];
      Sampler all = order.all(workload);
      Order once = all == null ? null : all.order(0);
      long fewest = Long.MAX_VALUE;
      long most = 0;
      for (int rank = 0; rank < RANKS; rank++) {
        try (DataLoader<Long> loader =
            order
                .loader(workload, epoch -> once, new WorldInfo(rank, RANKS))
                .batchSize(32)
                .numWorkers(0)
                .build()) {
          long steps = 0;
          for (Batch batch : loader) {
            try (batch) {
              steps++;
              for (long example : batch.tensor(0).toLongArray()) {
                seen[(int) example]++;
              }
            }
          }
          fewest = Math.min(fewest, steps);
          most = Math.max(most, steps);
        }
      }
      if (remainder != Remainder.EXACT) {
        assertThat(fewest).as("all ranks make as many steps").isEqualTo(most);
      }
      if (plan.steps().fewest().isPresent()) {
        assertThat(plan.steps().fewest()).hasValue(fewest);
        assertThat(plan.steps().most()).hasValue(most);
      } else {
        assertThat(order).isEqualTo(RankOrder.STREAM);
        assertThat(remainder).isEqualTo(Remainder.EXACT);
      }
      int[] times = new int[3];
      for (byte each : seen) {
        times[each]++;
      }
      assertThat(times[0]).as("left out").isEqualTo((int) plan.leftOut());
      assertThat(times[2]).as("read twice").isEqualTo((int) plan.readTwice());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = RankOrder.class,
      names = {"SEQUENTIAL", "SHUFFLE", "SHARDS", "RUNS", "DEAL"})
  void shouldCountTheMemoryOfAnOrder(RankOrder order) {
    RankWorkload workload = workload(RANKS, 1_000_000_000, 100_000, null, null);
    WorldInfo world = new WorldInfo(1023, RANKS);
    order.sampler(workload, order.all(workload), world).order(0); // loads the classes

    long before = allocatedBytes();
    Order own = order.sampler(workload, order.all(workload), world).order(0);
    long allocated = allocatedBytes() - before;

    assertThat(own.size()).isEqualTo(976_563);
    // The shards' sizes are the caller's; the order and its sampler have the rest.
    long sizes = order.needsShards() ? 8L * 100_000 : 0;
    // A run is an object, whose size is the JVM's matter.
    assertThat(allocated - sizes)
        .isBetween(order.bytes(workload) * 9 / 10, order.bytes(workload) * 11 / 10 + 65536);
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @ParameterizedTest
  @CsvSource({
    // 32 reads, 4 at a time, of a second each.
    "SHUFFLE, 4, 1000, 100000000, 8",
    // 64 at a time, as a loader reads ahead.
    "SHUFFLE, , 1000, 100000000, 1",
    // 4 ranks' 128 reads at 16 a second.
    "SHUFFLE, , 16, 100000000, 8",
    // 4 ranks' 128 x 1000 bytes.
    "SHUFFLE, , 1000, 12800, 10",
    // Opened, and read as one piece.
    "STREAM, , 1000, 100000000, 2",
    // Each of 4 ranks reads 128 examples.
    "STREAM_SAMPLES, , 1000, 12800, 40",
  })
  void shouldTellHowLongAStorageTakesForTheFirstBatchesOfAllRanks(
      RankOrder order, Integer workers, double reads, double bytes, double seconds) {
    RankPlan plan =
        RankPlan.of(
            order,
            workload(4, 100_000, 100, null, null),
            Optional.of(new Storage("a disk", Duration.ofSeconds(1), reads, bytes, "as given")),
            OptionalLong.of(1000),
            workers == null ? OptionalInt.empty() : OptionalInt.of(workers),
            System::nanoTime);

    assertThat(plan.storageSeconds()).isEqualTo(OptionalDouble.of(seconds));
  }

  @Test
  void shouldNotCountShardsNorTryBatchesForHours() {
    RankPlan plan = plan(RankOrder.SHUFFLE, workload(2, 1L << 40, 100, null, null));
    assertThat(plan.shardsOfRank()).isEmpty();
    assertThat(plan.steps()).isEqualTo(range((1L << 39) / 32));

    RankPlan stream = plan(RankOrder.STREAM_SAMPLES, workload(1 << 20, 1L << 39, 100, null, null));
    assertThat(stream.readsOfFirstBatch()).isEqualTo(1L << 25);
    RankWorkload large = workload(1 << 20, 1L << 39, 100, null, null);
    RankWorkload batches =
        new RankWorkload(
            large.ranks(),
            8,
            large.examples(),
            large.shards(),
            1 << 10,
            Optional.empty(),
            16,
            1,
            Optional.empty());
    assertThat(plan(RankOrder.STREAM_SAMPLES, batches).firstBatchSeconds()).isEmpty();
  }

  @Test
  void shouldFindTheShardOfAnExample() {
    RankWorkload workload = workload(1, 103, 10, null, null);
    long[] starts = new long[11];
    Arrays.setAll(starts, shard -> shard == 10 ? 103 : workload.shardStart(shard));
    for (int shard = 0; shard < 10; shard++) {
      assertThat(starts[shard + 1] - starts[shard]).isEqualTo(workload.shardSize(shard));
      for (long example = starts[shard]; example < starts[shard + 1]; example++) {
        assertThat(workload.shardOf(example)).isEqualTo(shard);
      }
    }
  }
}
