package io.feedline.formats.cli.internal.plan;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The rates that loading must reach so that GPUs do not wait, computed before anything runs. A
 * batch of n must be there when a step of t ends: n / t examples a second for each GPU, and for
 * each example a read of its size. All of it is averages.
 *
 * @param workload what it was computed for
 * @param examplesPerSecond of all GPUs
 * @param readsPerSecond of all GPUs, one for each example
 * @param bytesPerSecond of all GPUs, as stored
 * @param epochSeconds how long an experiment takes for the data set if no GPU waits; empty where
 *     the number of examples is not known
 * @param workers empty where neither a storage nor the time of a processor is known
 * @param prefetch empty where the batch size is not known
 * @param storage the storage's limits; empty where none was named
 * @param packed what changes when examples are packed; empty where they are as large as {@link
 *     #PACKED_READ} already
 */
public record Plan(
    Workload workload,
    double examplesPerSecond,
    double readsPerSecond,
    double bytesPerSecond,
    OptionalDouble epochSeconds,
    Optional<Workers> workers,
    Optional<Prefetch> prefetch,
    Optional<StorageCheck> storage,
    Optional<Packed> packed) {

  /**
   * The bytes of one read of a shard that is read from front to back: 8 MiB, as Amazon recommends
   * for S3. A disk then hardly seeks.
   */
  public static final long PACKED_READ = 8 << 20;

  /** The most workers that a loader takes. */
  public static final int MOST_WORKERS = 4096;

  /** The number of batches that a consumer may hold open by default. */
  static final int OPEN_BATCHES = 2;

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
   * @param bytes of all loaders
   * @param hiddenSeconds how long a single read may take until a GPU waits for it
   */
  record Prefetch(long batches, double bytesOfLoader, double bytes, double hiddenSeconds) {}

  /**
   * The same training over shards that are read from front to back, in pieces of {@link
   * #PACKED_READ}. The bytes a second stay.
   *
   * @param storage empty where none was named
   */
  record Packed(double readsPerSecond, Optional<StorageCheck> storage) {}

  /**
   * Computes.
   *
   * @param storage what all experiments read from, if it is known
   */
  static Plan of(Workload workload, Optional<Storage> storage) {
    double rate = workload.examplesPerSecondOfGpu() * workload.loaders();
    double bytes = rate * workload.exampleBytes();
    double mostInFlight = (double) workload.workers().orElse(MOST_WORKERS) * workload.loaders();
    Optional<Workers> workers = workers(workload, storage);
    return new Plan(
        workload,
        rate,
        rate,
        bytes,
        epochSeconds(workload),
        workers,
        prefetch(workload, workers),
        storage.map(each -> StorageCheck.of(each, rate, bytes, mostInFlight)),
        packed(workload, storage, bytes, mostInFlight));
  }

  /**
   * Returns the examples per second that all GPUs get: the rate they need, or less if the storage
   * or the workers are a limit.
   */
  double attainableExamplesPerSecond() {
    double load = storage.map(check -> check.nearest().load()).orElse(0.0);
    return examplesPerSecond / Math.max(1, Math.max(load, workersLoad()));
  }

  /** Returns the seconds of an experiment's epoch at that rate; empty if they are not known. */
  OptionalDouble attainableEpochSeconds() {
    return epochSeconds.isPresent()
        ? OptionalDouble.of(epochSeconds.getAsDouble() / busy())
        : OptionalDouble.empty();
  }

  /** The part of their time that GPUs can compute, at most. */
  double busy() {
    return attainableExamplesPerSecond() / examplesPerSecond;
  }

  /** The part of the workers' time that is used; above 1 they are too few. */
  double workersLoad() {
    if (workers.isEmpty()) {
      return 0;
    }
    return workload.examplesPerSecondOfGpu()
        * workers.get().secondsPerExample()
        / workload.workers().orElse(MOST_WORKERS);
  }

  private static OptionalDouble epochSeconds(Workload workload) {
    if (workload.examples().isEmpty()) {
      return OptionalDouble.empty();
    }
    double rateOfExperiment = workload.examplesPerSecondOfGpu() * workload.gpus();
    return OptionalDouble.of(workload.examples().getAsLong() / rateOfExperiment);
  }

  private static Optional<Workers> workers(Workload workload, Optional<Storage> storage) {
    Optional<Duration> cpu = workload.cpuPerExample();
    if (cpu.isEmpty() && storage.isEmpty()) {
      return Optional.empty();
    }
    double decoding = cpu.map(Plan::seconds).orElse(0.0);
    double each = decoding + storage.map(Storage::latencySeconds).orElse(0.0);
    double busyWorkers = workload.examplesPerSecondOfGpu() * each;
    return Optional.of(
        new Workers(
            Math.max(1, roundedUp(busyWorkers)),
            each,
            cpu.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                    workload.examplesPerSecondOfGpu() * workload.loaders() * decoding)));
  }

  private static Optional<Prefetch> prefetch(Workload workload, Optional<Workers> workers) {
    if (workload.batchSize().isEmpty()) {
      return Optional.empty();
    }
    int batchSize = workload.batchSize().getAsInt();
    long threads =
        workload.workers().isPresent()
            ? workload.workers().getAsInt()
            : Math.min(MOST_WORKERS, workers.map(Workers::needed).orElse(1L));
    // As DataLoaderBuilder.prefetch says: at least two batches, and two samples for each worker.
    long batches = Math.max(2, 1 + (2 * threads + batchSize - 1) / batchSize);
    double batchBytes = (double) batchSize * workload.rowBytes().orElse(workload.exampleBytes());
    double bytes = (batches + OPEN_BATCHES) * batchBytes;
    return Optional.of(
        new Prefetch(
            batches,
            bytes,
            bytes * workload.loaders(),
            batches * batchSize / workload.examplesPerSecondOfGpu()));
  }

  private static Optional<Packed> packed(
      Workload workload, Optional<Storage> storage, double bytes, double mostInFlight) {
    if (workload.exampleBytes() >= PACKED_READ) {
      return Optional.empty();
    }
    double reads = bytes / PACKED_READ;
    return Optional.of(
        new Packed(
            reads,
            storage.map(
                each ->
                    StorageCheck.of(
                        each.readingPiecesOf(PACKED_READ), reads, bytes, mostInFlight))));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** The next integer, unless the number is one but for its rounding. */
  private static long roundedUp(double value) {
    return (long) Math.ceil(value * (1 - 1e-12));
  }
}
