package io.feedline.formats.cli.internal.plan;

import io.feedline.internal.Counts;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rates that loading must reach so that GPUs do not wait, computed before anything runs. A
 * batch of n must be there when a step of t ends: n / t examples a second for each GPU, and for
 * each example a read of its size. All figures are averages; null stands for unknown. The names of
 * the components are those of the command's JSON, in PLAN.md.
 *
 * @param examplesPerSecond of all GPUs; as many reads a second, one for each example
 * @param bytesPerSecond of all GPUs, as stored
 * @param busy the part of their time that GPUs can compute, as far as storage and workers let
 * @param workers null where neither a storage nor the time of a processor is known
 * @param prefetch the batches that a loader with these workers prepares ahead
 * @param prefetchBytes the memory of one loader: these batches, and those that are open
 * @param storage the demand on the storage; null where no storage was named
 * @param packed the demand of the same bytes in reads of {@link #PACKED_READ}; null where examples
 *     are as large already
 */
record Plan(
    Workload workload,
    double examplesPerSecond,
    double bytesPerSecond,
    double busy,
    @Nullable Workers workers,
    long prefetch,
    double prefetchBytes,
    @Nullable Demand storage,
    @Nullable Demand packed) {

  /** One read of a shard: 8 MiB, as Amazon recommends for S3. A disk then hardly seeks. */
  static final long PACKED_READ = 8 << 20;

  static final int MOST_WORKERS = 4096;

  static final int OPEN_BATCHES = 2;

  /** From this load on reads wait for each other noticeably: a rule of thumb. */
  static final double TIGHT = 0.7;

  /**
   * @param storage from which all GPUs read; null if unknown
   */
  static Plan of(Workload work, @Nullable Storage storage) {
    double rate = work.examplesPerSecondOfGpu() * work.gpus();
    double bytes = rate * work.exampleBytes();
    Workers workers = Workers.of(work, storage);
    Demand demand = storage == null ? null : Demand.of(storage, rate, bytes, work);
    double load =
        Math.max(workers == null ? 0 : workers.load, demand == null ? 0 : demand.nearest.load);
    long prefetch = prefetch(work, workers);
    double row = work.tensorBytes() == null ? work.exampleBytes() : work.tensorBytes();
    return new Plan(
        work,
        rate,
        bytes,
        1 / Math.max(1, load),
        workers,
        prefetch,
        (prefetch + OPEN_BATCHES) * work.batchSize() * row,
        demand,
        storage == null || work.exampleBytes() >= PACKED_READ
            ? null
            : Demand.of(storage.readingPiecesOf(PACKED_READ), bytes / PACKED_READ, bytes, work));
  }

  /**
   * A training: one loader for each GPU, and one read for each example.
   *
   * @param batchSize n, the examples of a batch of one GPU
   * @param stepSeconds t, the time in which a GPU computes with a batch
   * @param exampleBytes as stored, on average
   * @param tensorBytes the size of an example in a batch; null: as it is stored
   * @param cpuSeconds the time that a processor decodes and transforms one example; null if unknown
   * @param workers of each loader; null: as many as are needed
   */
  record Workload(
      int batchSize,
      double stepSeconds,
      int gpus,
      long exampleBytes,
      @Nullable Long tensorBytes,
      @Nullable Double cpuSeconds,
      @Nullable Integer workers) {

    double examplesPerSecondOfGpu() {
      return batchSize / stepSeconds;
    }

    int mostWorkers() {
      return workers == null ? MOST_WORKERS : workers;
    }
  }

  /** As DataLoaderBuilder.prefetch says: at least two batches, and two samples for each worker. */
  private static long prefetch(Workload work, @Nullable Workers workers) {
    long needed = Math.min(MOST_WORKERS, workers == null ? 1 : workers.needed());
    long threads = work.workers() == null ? needed : work.workers();
    return Math.max(2, 1 + Counts.ceilDiv(2 * threads, work.batchSize()));
  }

  /**
   * The threads of each loader.
   *
   * @param needed by Little's law: examples a second, times the seconds of each
   * @param secondsPerExample that a worker waits for an example and then decodes it
   * @param load the used part of the workers' time; above 1 they are too few
   * @param processors that decoding keeps busy, for all loaders; null where its time is not known
   */
  record Workers(long needed, double secondsPerExample, double load, @Nullable Double processors) {

    static @Nullable Workers of(Workload work, @Nullable Storage storage) {
      Double cpu = work.cpuSeconds();
      if (cpu == null && storage == null) {
        return null;
      }
      double each = (cpu == null ? 0 : cpu) + (storage == null ? 0 : storage.latencySeconds());
      double busy = work.examplesPerSecondOfGpu() * each;
      return new Workers(
          // The next integer, unless the number is an integer up to rounding.
          Math.max(1, (long) Math.ceil(busy * (1 - 1e-12))),
          each,
          busy / work.mostWorkers(),
          cpu == null ? null : work.examplesPerSecondOfGpu() * work.gpus() * cpu);
    }
  }

  /** A limit of a storage; the first limit is the number of reads for which workers can wait. */
  enum Kind {
    READS_IN_FLIGHT("reads in flight"),
    READS_PER_SECOND("reads/s"),
    BANDWIDTH("bandwidth");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  enum Verdict {
    SUFFICES,
    TIGHT,
    TOO_SLOW
  }

  /**
   * @param load the used part; above 1, the factor that is missing
   */
  record Limit(Kind kind, double needed, double given, double load) {

    Limit(Kind kind, double needed, double given) {
      this(kind, needed, given, needed / given);
    }
  }

  /**
   * The demand on a storage. Each limit is computed by itself. A device that can do only one thing
   * at a time, such as a disk that either seeks or transfers, gives less where two limits are near.
   *
   * @param nearest the limit with the highest load; the training reaches it first
   * @param limits a limit of each kind, in the order of the kinds
   */
  record Demand(Verdict verdict, Limit nearest, List<Limit> limits, Storage storage) {

    static Demand of(Storage storage, double reads, double bytes, Workload work) {
      // By Little's law reads in flight are reads a second times the seconds of each.
      double inFlight = reads * storage.latencySeconds();
      List<Limit> limits =
          List.of(
              new Limit(Kind.READS_IN_FLIGHT, inFlight, (double) work.mostWorkers() * work.gpus()),
              new Limit(Kind.READS_PER_SECOND, reads, storage.readsPerSecond()),
              new Limit(Kind.BANDWIDTH, bytes, storage.bytesPerSecond()));
      Limit nearest = limits.stream().max(Comparator.comparingDouble(Limit::load)).orElseThrow();
      Verdict verdict =
          nearest.load > 1
              ? Verdict.TOO_SLOW
              : nearest.load > TIGHT ? Verdict.TIGHT : Verdict.SUFFICES;
      return new Demand(verdict, nearest, limits, storage);
    }
  }
}
