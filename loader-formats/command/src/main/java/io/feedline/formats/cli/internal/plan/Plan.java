package io.feedline.formats.cli.internal.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The rates that loading must reach so that GPUs do not wait, computed before anything runs. A
 * batch of n must be there when a step of t ends: n / t examples a second for each GPU, and for
 * each example a read of its size. All of it is averages.
 *
 * @param workload what it was computed for
 * @param examplesPerSecond of all GPUs; as many reads a second, one for each example
 * @param bytesPerSecond of all GPUs, as stored
 * @param workers empty where neither a storage nor the time of a processor is known
 * @param prefetch empty where the batch size is not known
 * @param storage the storage's limits; empty where none was named
 * @param packed what changes when examples are packed; empty where they are as large as {@link
 *     #PACKED_READ} already
 */
record Plan(
    Workload workload,
    double examplesPerSecond,
    double bytesPerSecond,
    Optional<Workers> workers,
    Optional<Prefetch> prefetch,
    Optional<Check> storage,
    Optional<Packed> packed) {

  /**
   * The bytes of one read of a shard that is read from front to back: 8 MiB, as Amazon recommends
   * for S3. A disk then hardly seeks.
   */
  static final long PACKED_READ = 8 << 20;

  /** The most workers that a loader takes. */
  static final int MOST_WORKERS = 4096;

  /** The number of batches that a consumer may hold open by default. */
  static final int OPEN_BATCHES = 2;

  /** From this load on reads wait for each other noticeably: a rule of thumb. */
  static final double TIGHT = 0.7;

  /**
   * The threads that load.
   *
   * @param needed of each loader: examples a second, times how long a worker is busy with one,
   *     which it first waits for and then decodes
   * @param secondsPerExample how long that is
   * @param processors that decoding keeps busy, for all loaders; empty where its time is not known
   */
  record Workers(long needed, double secondsPerExample, OptionalDouble processors) {}

  /**
   * Batches that are prepared ahead, and their memory.
   *
   * @param batches ahead of the consumer in each loader: what a loader with these workers chooses
   * @param bytesOfLoader the memory of one loader: these batches, and those that are open
   * @param hiddenSeconds how long a single read may take until a GPU waits for it
   */
  record Prefetch(long batches, double bytesOfLoader, double hiddenSeconds) {}

  /** The same training over shards that are read from front to back; the bytes a second stay. */
  record Packed(double readsPerSecond, Optional<Check> storage) {}

  /** The kind of a limit, with its name for people and in JSON. */
  enum Kind {
    /** Reads in flight: how many the workers can wait for at once. */
    LATENCY("latency", "latency"),
    READS("reads/s", "reads_per_second"),
    BANDWIDTH("bandwidth", "bandwidth");

    final String words;
    final String key;

    Kind(String words, String key) {
      this.words = words;
      this.key = key;
    }
  }

  /** The verdict on a storage: whether it is fast enough. */
  enum Verdict {
    SUFFICES,
    TIGHT,
    TOO_SLOW
  }

  /** One of a storage's limits: how much is needed of it, and how much there is. */
  record Limit(Kind kind, double needed, double given) {
    /** Returns the part of it that is used; above 1, the factor that is missing. */
    double load() {
      return needed / given;
    }
  }

  /**
   * The demand on a storage, beside its capacity. Each limit is looked at by itself. A device that
   * can do only one thing at a time, such as a disk that either seeks or transfers, gives less than
   * that where two limits are near.
   *
   * @param readsInFlight on average: by Little's law, reads a second times the latency of one
   * @param limits one of each kind, in the order of the kinds
   */
  record Check(Storage storage, double readsInFlight, List<Limit> limits) {

    /** Returns the limit with the highest load; the training reaches it first. */
    Limit nearest() {
      return limits.stream().max(Comparator.comparingDouble(Limit::load)).orElseThrow();
    }

    Verdict verdict() {
      double load = nearest().load();
      return load > 1 ? Verdict.TOO_SLOW : load > TIGHT ? Verdict.TIGHT : Verdict.SUFFICES;
    }
  }

  /**
   * Computes.
   *
   * @param storage what all experiments read from, if it is known
   */
  static Plan of(Workload workload, Optional<Storage> storage) {
    double rate = workload.examplesPerSecondOfGpu() * workload.loaders();
    double bytes = rate * workload.exampleBytes();
    double inFlight = (double) workload.workers().orElse(MOST_WORKERS) * workload.loaders();
    Optional<Workers> workers = workers(workload, storage);
    Optional<Packed> packed =
        Optional.of(bytes / PACKED_READ)
            .filter(reads -> workload.exampleBytes() < PACKED_READ)
            .map(
                reads ->
                    new Packed(
                        reads,
                        storage.map(
                            each ->
                                check(each.readingPiecesOf(PACKED_READ), reads, bytes, inFlight))));
    return new Plan(
        workload,
        rate,
        bytes,
        workers,
        prefetch(workload, workers),
        storage.map(each -> check(each, rate, bytes, inFlight)),
        packed);
  }

  private static Check check(Storage storage, double reads, double bytes, double mostInFlight) {
    double inFlight = reads * storage.latencySeconds();
    return new Check(
        storage,
        inFlight,
        List.of(
            new Limit(Kind.LATENCY, inFlight, mostInFlight),
            new Limit(Kind.READS, reads, storage.readsPerSecond()),
            new Limit(Kind.BANDWIDTH, bytes, storage.bytesPerSecond())));
  }

  private static Optional<Workers> workers(Workload workload, Optional<Storage> storage) {
    OptionalDouble cpu = workload.cpuSeconds();
    if (cpu.isEmpty() && storage.isEmpty()) {
      return Optional.empty();
    }
    double rate = workload.examplesPerSecondOfGpu();
    double each = cpu.orElse(0) + storage.map(Storage::latencySeconds).orElse(0.0);
    return Optional.of(
        new Workers(
            // The next integer, unless the number is one but for its rounding.
            Math.max(1, (long) Math.ceil(rate * each * (1 - 1e-12))),
            each,
            cpu.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(rate * workload.loaders() * cpu.getAsDouble())));
  }

  private static Optional<Prefetch> prefetch(Workload workload, Optional<Workers> workers) {
    if (workload.batchSize().isEmpty()) {
      return Optional.empty();
    }
    int batchSize = workload.batchSize().getAsInt();
    long needed = Math.min(MOST_WORKERS, workers.map(Workers::needed).orElse(1L));
    long threads = workload.workers().isPresent() ? workload.workers().getAsInt() : needed;
    // As DataLoaderBuilder.prefetch says: at least two batches, and two samples for each worker.
    long batches = Math.max(2, 1 + (2 * threads + batchSize - 1) / batchSize);
    double row = workload.rowBytes().orElse(workload.exampleBytes());
    return Optional.of(
        new Prefetch(
            batches,
            (batches + OPEN_BATCHES) * batchSize * row,
            batches * batchSize / workload.examplesPerSecondOfGpu()));
  }

  /** Returns the seconds of an experiment's epoch if no GPU waits; empty where not known. */
  OptionalDouble epochSeconds() {
    return workload.examples().isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            workload.examples().getAsLong()
                / (workload.examplesPerSecondOfGpu() * workload.gpus()));
  }

  /** Returns the part of their time that GPUs can compute, as far as storage and workers let. */
  double busy() {
    double load = storage.map(check -> check.nearest().load()).orElse(0.0);
    return 1 / Math.max(1, Math.max(load, workersLoad()));
  }

  /** Returns the part of the workers' time that is used; above 1 they are too few. */
  double workersLoad() {
    return workers
        .map(
            each ->
                workload.examplesPerSecondOfGpu()
                    * each.secondsPerExample()
                    / workload.workers().orElse(MOST_WORKERS))
        .orElse(0.0);
  }
}
