package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.plan.RankPlan.Kind;
import io.feedline.internal.Json;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The arithmetic of a plan against the loaders of all ranks, over numbers in place of examples. */
class RankPlanTest {

  /** An epoch, and the real loaders of its ranks. */
  private record Epoch(
      Kind kind,
      Remainder remainder,
      int ranks,
      int examples,
      int shards,
      int runs,
      int batchSize) {

    /** The command's plan of this order. */
    Map<?, ?> plan(String more) {
      return RankPlanTest.plan(
          "--order %s --remainder %s --ranks %d --examples %d --shards %d --runs %d --batch-size %d %s"
              .formatted(kind, remainder, ranks, examples, shards, runs, batchSize, more)
              .replace('_', '-'));
    }

    DataLoader<Long> loader(int rank, int count) {
      WorldInfo world = new WorldInfo(rank, count);
      return switch (kind) {
        case STREAM, STREAM_SAMPLES ->
            DataLoader.builder(new Numbers(this))
                .shuffleShards(kind == Kind.STREAM)
                .distributed(world, remainder)
                .batchSize(batchSize)
                .numWorkers(0)
                .build();
        default ->
            DataLoader.builder(Dataset.of(examples, index -> index))
                .sampler(sampler(world))
                .batchSize(batchSize)
                .numWorkers(0)
                .build();
      };
    }

    private Sampler sampler(WorldInfo world) {
      ShardedSampler.Builder sharded = ShardedSampler.builder(sizes()).windowShards(16);
      Sampler all =
          switch (kind) {
            case SEQUENTIAL -> SequentialSampler.of(examples);
            case SHUFFLE -> RandomSampler.of(examples, 0);
            case RUNS -> sharded.runs(runs).build();
            default -> sharded.build();
          };
      return kind == Kind.DEAL
          ? sharded.deal(world, remainder).build()
          : DistributedSampler.builder(all, world).remainder(remainder).build();
    }

    private long[] sizes() {
      long[] sizes = new long[shards];
      Arrays.setAll(sizes, shard -> examples / shards + (shard < examples % shards ? 1 : 0));
      return sizes;
    }

    int shardOf(long example) {
      long[] sizes = sizes();
      int shard = 0;
      for (long end = sizes[0]; end <= example; end += sizes[shard]) {
        shard++;
      }
      return shard;
    }
  }

  /** A stream of an epoch's examples: in its shards, or in one of unknown size. */
  private record Numbers(Epoch epoch) implements IterableDataset<Long> {
    private boolean sharded() {
      return epoch.kind == Kind.STREAM;
    }

    @Override
    public int shards() {
      return sharded() ? epoch.shards : 1;
    }

    @Override
    public OptionalLong shardSize(int shard) {
      return sharded() ? OptionalLong.of(epoch.sizes()[shard]) : OptionalLong.empty();
    }

    @Override
    public OptionalLong size() {
      return OptionalLong.of(epoch.examples);
    }

    @Override
    public SampleStream<Long> open(int shard, long ofEpoch) {
      long start = sharded() ? Arrays.stream(epoch.sizes()).limit(shard).sum() : 0;
      long end = sharded() ? start + epoch.sizes()[shard] : epoch.examples;
      return SampleStream.of(LongStream.range(start, end).iterator());
    }
  }

  private static Map<?, ?> plan(String options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String[] words = ("plan --json " + options.strip()).split(" ");
    assertThat(Feedline.run(new PrintWriter(out, true), new PrintWriter(err, true), words))
        .as(err.toString())
        .isZero();
    Map<?, ?> ranks = (Map<?, ?>) Json.read(out.toString()).get("ranks");
    return (Map<?, ?>) ((List<?>) ranks.get("orders")).get(0);
  }

  private static long number(Map<?, ?> json, String name) {
    return (Long) json.get(name);
  }

  /** 976 562.5 examples a rank; 97.66 shards, so that a stream goes by 97 of 10 000. */
  @ParameterizedTest
  @CsvSource({
    "SEQUENTIAL, 30518, 976563, 512, 0, 100000, 100000",
    "SHUFFLE, 30518, 976563, 512, 0, 100000, 100000",
    "SHARDS, 30518, 976563, 512, 0, 100000, 100000",
    "RUNS, 30518, 976563, 512, 0, 99, 198",
    "DEAL, 30518, 976563, 512, 0, 99, 197",
    "STREAM, 30313, 970000, 0, 6720000, 98, 196",
    "STREAM_SAMPLES, 30518, 976562, 0, 512, 100000, 100000",
  })
  void shouldPlanABillionExamples(
      Kind kind, long steps, long examples, long twice, long out, long shards, long ofNode) {
    Map<?, ?> plan =
        plan(
            "--ranks 1024 --examples 1000000000 --shards 100000 --batch-size 32 --ranks-per-node 2"
                + " --resume-ranks 768 --at-step 9000 --order "
                + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'));

    assertThat(number(plan, "fewest_steps")).isEqualTo(steps);
    assertThat(number(plan, "most_steps")).isEqualTo(steps);
    assertThat(number(plan, "fewest_examples")).isEqualTo(examples);
    assertThat(number(plan, "most_examples")).isEqualTo(examples);
    assertThat(number(plan, "read_twice")).isEqualTo(twice);
    assertThat(number(plan, "left_out")).isEqualTo(out);
    assertThat(number(plan, "shards_of_rank")).isEqualTo(shards);
    assertThat(number(plan, "shards_of_node")).isEqualTo(ofNode);
    Map<?, ?> resume = (Map<?, ?>) plan.get("resume");
    assertThat(number(resume, "examples_before")).isEqualTo(9000L * 32 * 1024);
    if (kind == Kind.DEAL || kind == Kind.STREAM) {
      assertThat(resume.get("refusal").toString()).contains("each rank has shards of its own");
    } else {
      // (10^9 - 294912000) / 768 = 918083.3, in batches of 32
      assertThat(number(resume, "fewest_steps_left")).isEqualTo(28691);
    }
  }

  /** A remainder of examples, of shards and of their sizes, and more ranks than shards. */
  @ParameterizedTest
  @EnumSource
  void shouldReadEachExampleAsOftenAsItSays(Kind kind) {
    for (Remainder remainder : Remainder.values()) {
      boolean streams = kind == Kind.STREAM || kind == Kind.STREAM_SAMPLES;
      if (streams && remainder == Remainder.PAD) {
        continue; // the same as DROP
      }
      read(new Epoch(kind, remainder, 64, 2003, 150, 64, 8));
      read(new Epoch(kind, remainder, 12, 2003, 150, 8, 3));
      read(new Epoch(kind, remainder, 7, 2000, 50, 14, 8));
      read(new Epoch(kind, remainder, 64, 1203, 5, 1, 4));
      read(new Epoch(kind, remainder, 1, 103, 10, 1, 4));
    }
  }

  private static void read(Epoch epoch) {
    Map<?, ?> plan = epoch.plan("--ranks-per-node 3");
    byte[] seen = new byte[epoch.examples];
    BitSet opened = new BitSet();
    for (int rank = 0; rank < epoch.ranks; rank++) {
      long steps = 0;
      long examples = 0;
      try (DataLoader<Long> loader = epoch.loader(rank, epoch.ranks)) {
        for (Batch batch : loader) {
          try (batch) {
            steps++;
            for (long example : batch.tensor(0).toLongArray()) {
              examples++;
              seen[(int) example]++;
              opened.set(epoch.shardOf(example));
            }
          }
        }
      }
      assertThat(steps).as("%s", epoch).isBetween(fewest(plan, "steps"), most(plan, "steps"));
      assertThat(examples).isBetween(fewest(plan, "examples"), most(plan, "examples"));
      if (rank == 0 || rank == 2) {
        String of = rank == 0 ? "shards_of_rank" : "shards_of_node";
        // Ranks of a stream in fewer shards than ranks read all of them, for a part of each.
        if (epoch.kind != Kind.STREAM || epoch.shards >= epoch.ranks) {
          assertThat((long) opened.cardinality()).as("%s", epoch).isBetween(1L, number(plan, of));
        }
      }
    }
    long twice = 0;
    long out = 0;
    for (byte times : seen) {
      assertThat(times).isBetween((byte) 0, (byte) 2);
      twice += times == 2 ? 1 : 0;
      out += times == 0 ? 1 : 0;
    }
    assertThat(twice).as("read twice: %s", epoch).isEqualTo(number(plan, "read_twice"));
    if (fewest(plan, "examples") == most(plan, "examples") || epoch.remainder == Remainder.EXACT) {
      assertThat(out).as("left out: %s", epoch).isEqualTo(number(plan, "left_out"));
    } else {
      assertThat(out).as("left out: %s", epoch).isBetween(0L, number(plan, "left_out"));
    }
  }

  private static long fewest(Map<?, ?> plan, String what) {
    return number(plan, "fewest_" + what);
  }

  private static long most(Map<?, ?> plan, String what) {
    return number(plan, "most_" + what);
  }

  /** The rest of an epoch is not a multiple of the ranks that continue. */
  @ParameterizedTest
  @EnumSource
  void shouldGoOnWhereLoadersDo(Kind kind) {
    for (Remainder remainder : Remainder.values()) {
      if (kind == Kind.STREAM_SAMPLES && remainder == Remainder.PAD) {
        continue;
      }
      Remainder rest =
          kind == Kind.STREAM && remainder == Remainder.PAD ? Remainder.DROP : remainder;
      Epoch epoch = new Epoch(kind, rest, 16, 2003, 150, 16, 2);
      Map<?, ?> plan = (Map<?, ?>) epoch.plan("--resume-ranks 12 --at-step 9").get("resume");
      LoaderState state = state(epoch, 9);
      assertThat(number(plan, "examples_before")).isEqualTo(9 * 2 * 16);
      if (!(boolean) plan.get("possible")) {
        assertThat(resumed(epoch, state)).as("%s", epoch).isEmpty();
        continue;
      }
      assertThat(resumed(epoch, state).orElseThrow())
          .as("%s", epoch)
          .isBetween(fewest(plan, "steps_left"), most(plan, "steps_left"));
    }
  }

  private static LoaderState state(Epoch epoch, long step) {
    try (DataLoader<Long> loader = epoch.loader(0, epoch.ranks)) {
      BatchIterator batches = loader.iterator();
      for (long i = 0; i < step; i++) {
        batches.next().close();
      }
      return loader.state();
    }
  }

  /** The batches that the first of 12 ranks has from a state on; empty where it is refused. */
  private static OptionalLong resumed(Epoch epoch, LoaderState state) {
    try (DataLoader<Long> loader = epoch.loader(0, 12)) {
      loader.resume(state);
      long steps = 0;
      for (Batch batch : loader) {
        batch.close();
        steps++;
      }
      return OptionalLong.of(steps);
    } catch (IllegalArgumentException refused) {
      return OptionalLong.empty();
    }
  }

  @Test
  void shouldSayThatAnEpochIsNotSoLong() {
    Map<?, ?> resume =
        (Map<?, ?>)
            plan("--ranks 4 --examples 1000 --batch-size 32 --order shuffle --resume-ranks 2"
                    + " --at-step 9")
                .get("resume");

    assertThat(resume.get("refusal")).isEqualTo("an epoch of 4 ranks has only 8 steps");
  }
}
