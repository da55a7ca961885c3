package io.feedline.bench;

import io.feedline.DataLoader;
import io.feedline.Dataset;
import io.feedline.LoaderState;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Do many ranks read each of a billion samples once, and what does an order cost? All ranks go
 * through their orders up to a step, other ranks through the rest, from where a loader says that it
 * goes on; each index sets a bit, which must not be set. Orders only: no samples are made. Times
 * are of the thread's CPU, since the machine may be shared.
 *
 * <pre>
 * java -Xmx400m -cp loader-bench/target/benchmarks.jar io.feedline.bench.ManyRanks
 * </pre>
 */
@Command(
    name = "many-ranks",
    sortOptions = false,
    description = "Goes through the orders of many ranks, and counts how often each index occurs.")
public final class ManyRanks extends BenchCommand {

  /** The orders that ranks share position by position. */
  enum Kind {
    SEQUENTIAL,
    SHUFFLE,
    SHARDS,
    RUNS
  }

  @Option(
      names = "--orders",
      paramLabel = "KIND",
      split = ",",
      defaultValue = "sequential,shuffle,shards,runs",
      description = "Which orders. Default: ${DEFAULT-VALUE}.")
  private List<Kind> kinds;

  @Option(names = "--ranks", defaultValue = "1024", description = "Default: ${DEFAULT-VALUE}.")
  private int ranks;

  @Option(
      names = "--resume-ranks",
      defaultValue = "768",
      description = "Ranks that go on. Default: ${DEFAULT-VALUE}.")
  private int resumeRanks;

  @Option(
      names = "--at-step",
      defaultValue = "9000",
      description = "Behind how many steps. Default: ${DEFAULT-VALUE}.")
  private int atStep;

  @Option(
      names = "--examples",
      defaultValue = "1000000000",
      description = "Default: ${DEFAULT-VALUE}.")
  private int examples;

  @Option(names = "--shards", defaultValue = "100000", description = "Default: ${DEFAULT-VALUE}.")
  private int shards;

  @Option(
      names = "--batch-size",
      defaultValue = "32",
      description = "Of a rank. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  private ManyRanks() {}

  /**
   * Runs the benchmark.
   *
   * @param args its options
   */
  public static void main(String[] args) {
    System.exit(command().execute(args));
  }

  static CommandLine command() {
    return new ManyRanks().commandLine();
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(1, "--ranks", ranks);
    requireAtLeast(1, "--resume-ranks", resumeRanks);
    requireAtLeast(1, "--at-step", atStep);
    requireAtLeast(1, "--examples", examples);
    requireAtLeast(1, "--shards", shards);
    requireAtLeast(1, "--batch-size", batchSize);
    if ((long) atStep * batchSize > examples / ranks) {
      throw wrong(
          "--at-step %d is behind the end: a rank of %d has %d samples"
              .formatted(atStep, ranks, examples / ranks));
    }
    log().println(Machine.here());
    log().flush();
    out()
        .println(
            "| order | ranks | samples of each | read | read twice | left out | ns an index |");
    out().println("|---|---|---|---|---|---|---|");
    for (Kind kind : kinds) {
      measure(kind);
    }
    return CommandLine.ExitCode.OK;
  }

  private void measure(Kind kind) {
    Order once = sampler(kind).order(0);
    Sampler all = epoch -> once;
    Seen seen = new Seen(examples);
    row(kind, ranks, seen, read(all, ranks, 0, (long) atStep * batchSize, seen), false);
    LoaderState resumed;
    try (DataLoader<Long> loader = loader(all, resumeRanks - 1, resumeRanks)) {
      loader.resume(state(all));
      resumed = loader.state();
    }
    Order rest = new Rest(once, resumed.offset());
    row(
        kind,
        resumeRanks,
        seen,
        read(epoch -> rest, resumeRanks, resumed.position(), Long.MAX_VALUE, seen),
        true);
  }

  /** An order without its first positions, which come before the ranks' first round. */
  private record Rest(Order all, long offset) implements Order {
    @Override
    public long size() {
      return all.size() - offset;
    }

    @Override
    public long indexAt(long position) {
      return all.indexAt(offset + position);
    }
  }

  private Sampler sampler(Kind kind) {
    long[] sizes = new long[shards];
    Arrays.setAll(sizes, shard -> (long) examples / shards + (shard < examples % shards ? 1 : 0));
    return switch (kind) {
      case SEQUENTIAL -> SequentialSampler.of(examples);
      case SHUFFLE -> RandomSampler.of(examples, 0);
      case SHARDS -> ShardedSampler.of(sizes, 16, 0);
      case RUNS -> ShardedSampler.builder(sizes).runs(ranks).build();
    };
  }

  /** What one part of an epoch has cost. */
  private record Part(long ofEach, long cpuNanos) {}

  /** Goes through the positions of all ranks, one after the other. */
  private static Part read(Sampler all, int ranks, long from, long to, Seen seen) {
    long ofEach = -1;
    long start = cpu();
    for (int rank = 0; rank < ranks; rank++) {
      Order order = part(all, rank, ranks).order(0);
      long end = Math.min(to, order.size());
      if (rank > 0 && end - from != ofEach) {
        throw new IllegalStateException(
            "rank %d has %d samples, rank 0 has %d".formatted(rank, end - from, ofEach));
      }
      ofEach = end - from;
      for (long position = from; position < end; position++) {
        seen.add(order.indexAt(position));
      }
    }
    return new Part(ofEach, cpu() - start);
  }

  private static Sampler part(Sampler all, int rank, int ranks) {
    return DistributedSampler.builder(all, new WorldInfo(rank, ranks))
        .remainder(Remainder.DROP)
        .build();
  }

  private DataLoader<Long> loader(Sampler all, int rank, int ofRanks) {
    return DataLoader.builder(Dataset.of(examples, index -> index))
        .sampler(part(all, rank, ofRanks))
        .batchSize(batchSize)
        .numWorkers(0)
        .build();
  }

  /** The state of any of the first ranks, behind the step. */
  private LoaderState state(Sampler all) {
    try (DataLoader<Long> loader = loader(all, 0, ranks)) {
      LoaderState begun = loader.state();
      return new LoaderState(
          begun.dataset(),
          begun.order(),
          begun.seed(),
          begun.epoch(),
          (long) atStep * batchSize,
          begun.ahead(),
          begun.batchSize(),
          begun.worldSize(),
          begun.offset(),
          begun.samples(),
          begun.failures(),
          begun.stream());
    }
  }

  private void row(Kind kind, int ofRanks, Seen seen, Part part, boolean ended) {
    out()
        .println(
            String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %s | %.0f |",
                kind.name().toLowerCase(Locale.ROOT),
                ofRanks,
                part.ofEach(),
                seen.distinct,
                seen.repeated,
                ended ? examples - seen.distinct : "",
                (double) part.cpuNanos() / Math.max(1, part.ofEach() * ofRanks)));
    out().flush();
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** A bit for each sample. */
  private static final class Seen {
    private final long[] bits;
    private long distinct;
    private long repeated;

    Seen(long samples) {
      bits = new long[(int) ((samples + 63) / 64)];
    }

    void add(long sample) {
      int word = (int) (sample >>> 6);
      long bit = 1L << sample;
      if ((bits[word] & bit) == 0) {
        bits[word] |= bit;
        distinct++;
      } else {
        repeated++;
      }
    }
  }
}
