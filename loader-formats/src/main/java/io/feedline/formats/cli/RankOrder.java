package io.feedline.formats.cli;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.Dataset;
import io.feedline.IterableDataset;
import io.feedline.PendingSample;
import io.feedline.SampleStream;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The kinds of order that ranks share an epoch in. Each makes the real loader of a rank, over
 * numbers in place of samples: what a plan says of an order is what that loader does.
 */
enum RankOrder {

  /** Rank r of R has positions r, r + R, ... of the data set as it lies. */
  SEQUENTIAL("shuffle(false)", false) {
    @Override
    Sampler all(RankWorkload workload) {
      return SequentialSampler.of(workload.examples());
    }
  },

  /** The same of a full shuffle, which is computed position by position. */
  SHUFFLE("shuffle(true)", false) {
    @Override
    Sampler all(RankWorkload workload) {
      return RandomSampler.of(workload.examples(), 0);
    }
  },

  /** The same of a shuffle of shards, whose windows all ranks share. */
  SHARDS("sampler(ShardedSampler.of(sizes, window, seed))", true) {
    @Override
    Sampler all(RankWorkload workload) {
      return sharded(workload).build();
    }

    @Override
    long bytes(RankWorkload workload) {
      return SHARD_BYTES * workload.shards().orElseThrow();
    }
  },

  /** The same of a shuffle of shards that is cut into runs, some of which are a rank's own. */
  RUNS("sampler(ShardedSampler.builder(sizes).runs(n).build())", true) {
    @Override
    Sampler all(RankWorkload workload) {
      return sharded(workload).runs(workload.runs()).build();
    }

    @Override
    long bytes(RankWorkload workload) {
      return SHARD_BYTES * workload.shards().orElseThrow() + RUN_BYTES * workload.runs();
    }
  },

  /** A shuffle of shards of which each rank has a run to itself. */
  DEAL("sampler(ShardedSampler.builder(sizes).deal(world, remainder).build())", true) {
    @Override
    Sampler all(RankWorkload workload) {
      return null;
    }

    @Override
    Sampler sampler(RankWorkload workload, Sampler all, WorldInfo world) {
      return sharded(workload).deal(world, remainder(workload)).build();
    }

    @Override
    long bytes(RankWorkload workload) {
      return SHARD_BYTES * workload.shards().orElseThrow();
    }
  },

  /** A stream whose shards are dealt to the ranks. */
  STREAM("a stream that declares its shards' sizes, shuffleShards(true)", true) {
    @Override
    Sampler all(RankWorkload workload) {
      return null;
    }

    @Override
    DataLoaderBuilder<Long> loader(RankWorkload workload, Sampler all, WorldInfo world) {
      return DataLoader.builder(new Shards(workload))
          .shuffleShards(true)
          .distributed(world, remainder(workload));
    }

    /** Of all shards as they are found, and of the rank's own. */
    @Override
    long bytes(RankWorkload workload) {
      int shards = workload.shards().orElseThrow();
      return Integer.BYTES * (shards + (long) shards / workload.ranks());
    }
  },

  /** A stream that each rank reads as a whole, of which it takes every R-th sample. */
  STREAM_SAMPLES("a stream of one source, or of unknown sizes", false) {
    @Override
    Sampler all(RankWorkload workload) {
      return null;
    }

    @Override
    DataLoaderBuilder<Long> loader(RankWorkload workload, Sampler all, WorldInfo world) {
      return DataLoader.builder(new Source(workload.examples()))
          .distributed(world, remainder(workload));
    }
  };

  /** What {@code ShardedSampler} keeps for a shard, and its order, as their Javadoc says. */
  private static final long SHARD_BYTES = 20;

  /** What its order keeps for a run. */
  private static final long RUN_BYTES = 80;

  private final String option;
  private final boolean needsShards;

  RankOrder(String option, boolean needsShards) {
    this.option = option;
    this.needsShards = needsShards;
  }

  /** The loader's option that gives this order. */
  String option() {
    return option;
  }

  /** Whether it is an order of shards. */
  boolean needsShards() {
    return needsShards;
  }

  /** Whether samples can only be read from front to back. */
  boolean streams() {
    return this == STREAM || this == STREAM_SAMPLES;
  }

  /** What becomes of examples that cannot be dealt evenly: a stream cannot repeat any. */
  Remainder remainder(RankWorkload workload) {
    Remainder given = workload.remainder().orElse(Remainder.PAD);
    return streams() && given == Remainder.PAD ? Remainder.DROP : given;
  }

  /** The order that all ranks share, if it is one; else null. */
  abstract Sampler all(RankWorkload workload);

  /**
   * A rank's order, of a data set with random access.
   *
   * @param all what {@link #all} gave, or its order
   */
  Sampler sampler(RankWorkload workload, Sampler all, WorldInfo world) {
    return DistributedSampler.builder(all, world).remainder(remainder(workload)).build();
  }

  /**
   * The loader of a rank, as far as its order goes.
   *
   * @param all what {@link #all} gave, or its order
   */
  DataLoaderBuilder<Long> loader(RankWorkload workload, Sampler all, WorldInfo world) {
    return DataLoader.builder(Dataset.of(workload.examples(), index -> index))
        .sampler(sampler(workload, all, world));
  }

  /** The memory that a rank's order takes, but for some hundred bytes. */
  long bytes(RankWorkload workload) {
    return 0;
  }

  private static ShardedSampler.Builder sharded(RankWorkload workload) {
    long[] sizes = new long[workload.shards().orElseThrow()];
    Arrays.setAll(sizes, workload::shardSize);
    return ShardedSampler.builder(sizes).windowShards(workload.windowShards());
  }

  /** The names of all kinds, with commas. */
  static String names() {
    return Arrays.stream(values()).map(RankOrder::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads a kind from the command line, where picocli would offer the constants' names as well. */
  static final class Converter implements ITypeConverter<RankOrder> {
    @Override
    public RankOrder convert(String text) {
      return Arrays.stream(values())
          .filter(kind -> kind.toString().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("'%s' is none of %s".formatted(text, names())));
    }
  }

  /** The numbers of the samples, in shards whose sizes are declared. */
  private record Shards(RankWorkload workload) implements IterableDataset<Long> {
    @Override
    public int shards() {
      return workload.shards().orElseThrow();
    }

    @Override
    public OptionalLong shardSize(int shard) {
      return OptionalLong.of(workload.shardSize(shard));
    }

    @Override
    public OptionalLong size() {
      return OptionalLong.of(workload.examples());
    }

    @Override
    public SampleStream<Long> open(int shard, long epoch) {
      long start = workload.shardStart(shard);
      return new Numbers(start, start + workload.shardSize(shard));
    }
  }

  /** The numbers of the samples, in one piece. */
  private record Source(long samples) implements IterableDataset<Long> {
    @Override
    public OptionalLong size() {
      return OptionalLong.of(samples);
    }

    @Override
    public SampleStream<Long> open(int shard, long epoch) {
      return new Numbers(0, samples);
    }
  }

  private static final class Numbers implements SampleStream<Long> {
    private final long end;
    private long next;

    Numbers(long start, long end) {
      this.next = start;
      this.end = end;
    }

    @Override
    public PendingSample<Long> next() {
      if (next == end) {
        return null;
      }
      long number = next++;
      return context -> number;
    }

    @Override
    public void close() {
      // There is nothing open.
    }
  }
}
