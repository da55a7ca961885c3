package io.feedline.formats.cli.internal.plan;

import io.feedline.internal.Counts;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rates that loading must reach so that GPUs do not wait, computed without running anything. If
 * a step takes t seconds and a batch has n examples, a GPU needs n / t examples a second, and as
 * many reads. All figures are averages; null means unknown. PLAN.md describes the components, which
 * have the same names in the command's JSON.
 *
 * @param examplesPerSecond the needed rate of all GPUs together; also the needed reads a second
 * @param bytesPerSecond the needed rate of all GPUs together, in stored bytes
 * @param busy the fraction of the time in which the GPUs can compute, given the limits of storage
 *     and workers
 * @param workers the worker threads; null if neither the storage nor the time to decode an example
 *     is known
 * @param prefetch the number of batches that a loader with these workers prepares ahead
 * @param prefetchBytes the memory that one loader needs for its prefetched and open batches, in
 *     bytes
 * @param storage the demand on the storage; null if no storage was named
 * @param packed the demand on the storage if examples are packed and read in pieces of {@link
 *     #PACKED_READ}; null if no storage was named, or if examples are as large as such pieces
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

  /** The bytes of one read of a shard: 8 MiB, as Amazon advises for S3; disks then seek little. */
  static final long PACKED_READ = 8 << 20;

  static final int MOST_WORKERS = 4096;

  static final int OPEN_BATCHES = 2;

  /** The load of a storage above which reads clearly wait for each other: a rule of thumb. */
  static final double TIGHT = 0.7;

  /** Returns the plan; {@code storage} serves all GPUs, and is null if unknown. */
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
   * The work of a training: one loader for each GPU, and one read for each example.
   *
   * @param batchSize n, the number of examples in a batch of one GPU
   * @param stepSeconds t, the time in which a GPU computes with a batch
   * @param exampleBytes the average stored size of an example
   * @param tensorBytes the size of an example in a batch; null: the stored size
   * @param cpuSeconds the time in which a processor decodes and transforms one example; null if
   *     unknown
   * @param workers the number of workers of each loader; null: as many as are needed
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

  /** Returns DataLoaderBuilder's default count of batches: two, or two samples a worker if more. */
  private static long prefetch(Workload work, @Nullable Workers workers) {
    long needed = Math.min(MOST_WORKERS, workers == null ? 1 : workers.needed());
    long threads = work.workers() == null ? needed : work.workers();
    return Math.max(2, 1 + Counts.ceilDiv(2 * threads, work.batchSize()));
  }

  /**
   * The worker threads of each loader.
   *
   * @param needed the needed number, by Little's law: examples a second, times the seconds of each
   *     example
   * @param secondsPerExample the time in which a worker waits for an example and decodes it
   * @param load the fraction of their time in which the workers are busy; above 1 there are too few
   *     workers
   * @param processors the number of processors that decoding keeps busy in all loaders; null if the
   *     time of decoding is unknown
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
          // Rounds up, but not an integer that a rounding error has made a little larger.
          Math.max(1, (long) Math.ceil(busy * (1 - 1e-12))),
          each,
          busy / work.mostWorkers(),
          cpu == null ? null : work.examplesPerSecondOfGpu() * work.gpus() * cpu);
    }
  }

  /**
   * The limits of a storage. The limit of reads in flight is the number of workers: each can wait
   * for one read.
   */
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

  /** A limit; {@code load} is needed / given: above 1, the limit is too low by this factor. */
  record Limit(Kind kind, double needed, double given, double load) {

    Limit(Kind kind, double needed, double given) {
      this(kind, needed, given, needed / given);
    }
  }

  /**
   * The demand on a storage. Each limit is computed separately. A device such as a disk, which
   * cannot seek and transfer at once, reaches less if the demand is near two limits.
   *
   * @param nearest the limit with the highest load, which the training reaches first
   * @param limits the limit of each kind, in the order of the kinds
   */
  record Demand(Verdict verdict, Limit nearest, List<Limit> limits, Storage storage) {

    static Demand of(Storage storage, double reads, double bytes, Workload work) {
      // Little's law: the reads in flight are the reads a second, times the seconds of a read.
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
