package io.feedline.formats.cli.internal.plan;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A training, as its loaders see it: one loader for each GPU, and one read for each example.
 *
 * @param batchSize examples of a batch of one GPU; empty where it is not known
 * @param examplesPerSecondOfGpu how many examples a second one GPU takes
 * @param gpus of one experiment
 * @param experiments that run at the same time, over the same storage
 * @param exampleBytes the size of an example as it is stored, on average
 * @param rowBytes the size of an example in a batch; empty: as it is stored
 * @param examples of the data set; empty where it is not known
 * @param cpuPerExample the time of a processor that decoding and transforming one example takes;
 *     empty where it is not known
 * @param workers of each loader; empty: as many as are needed
 */
public record Workload(
    OptionalInt batchSize,
    double examplesPerSecondOfGpu,
    int gpus,
    int experiments,
    long exampleBytes,
    OptionalLong rowBytes,
    OptionalLong examples,
    Optional<Duration> cpuPerExample,
    OptionalInt workers) {

  public Workload {
    require(batchSize.orElse(1) >= 1, "batchSize must be 1 or more, was %s", batchSize);
    requireRate("examplesPerSecondOfGpu", examplesPerSecondOfGpu);
    require(gpus >= 1, "gpus must be 1 or more, was %s", gpus);
    require(experiments >= 1, "experiments must be 1 or more, was %s", experiments);
    require(exampleBytes >= 1, "exampleBytes must be 1 or more, was %s", exampleBytes);
    require(rowBytes.orElse(1) >= 1, "rowBytes must be 1 or more, was %s", rowBytes);
    require(examples.orElse(1) >= 1, "examples must be 1 or more, was %s", examples);
    require(
        cpuPerExample.orElse(Duration.ZERO).toNanos() >= 0,
        "cpuPerExample must be 0 or more, was %s",
        cpuPerExample);
    require(workers.orElse(1) >= 1, "workers must be 1 or more, was %s", workers);
  }

  /** Begins one experiment on one GPU, with examples of a size as they are stored. */
  public static Builder builder(long exampleBytes) {
    return new Builder(exampleBytes);
  }

  /** The GPUs of all experiments, each with a loader. */
  long loaders() {
    return (long) gpus * experiments;
  }

  /** The time of a step; empty where the batch size is not known. */
  public OptionalDouble stepSeconds() {
    return batchSize.isPresent()
        ? OptionalDouble.of(batchSize.getAsInt() / examplesPerSecondOfGpu)
        : OptionalDouble.empty();
  }

  static void requireRate(String name, double rate) {
    require(rate > 0 && Double.isFinite(rate), name + " must be above 0 and finite, was %s", rate);
  }

  static void require(boolean condition, String message, Object found) {
    if (!condition) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, message, found));
    }
  }

  /** A workload that is being described; values that are not set are 1, or not known. */
  public static final class Builder {
    private final long exampleBytes;
    private OptionalInt batchSize = OptionalInt.empty();
    private double examplesPerSecondOfGpu;
    private int gpus = 1;
    private int experiments = 1;
    private OptionalLong rowBytes = OptionalLong.empty();
    private OptionalLong examples = OptionalLong.empty();
    private Optional<Duration> cpuPerExample = Optional.empty();
    private OptionalInt workers = OptionalInt.empty();

    private Builder(long exampleBytes) {
      this.exampleBytes = exampleBytes;
    }

    /** Sets that a GPU takes a batch of n in each step of t: n / t examples a second. */
    public Builder steps(int batchSize, Duration step) {
      require(step.toNanos() > 0, "step must be above 0, was %s", step);
      return batchSize(batchSize).examplesPerSecondOfGpu(batchSize / (step.toNanos() / 1e9));
    }

    Builder batchSize(int examples) {
      this.batchSize = OptionalInt.of(examples);
      return this;
    }

    Builder examplesPerSecondOfGpu(double rate) {
      this.examplesPerSecondOfGpu = rate;
      return this;
    }

    Builder gpus(int count) {
      this.gpus = count;
      return this;
    }

    Builder experiments(int count) {
      this.experiments = count;
      return this;
    }

    public Builder rowBytes(long bytes) {
      this.rowBytes = OptionalLong.of(bytes);
      return this;
    }

    Builder examples(long count) {
      this.examples = OptionalLong.of(count);
      return this;
    }

    Builder cpuPerExample(Duration time) {
      this.cpuPerExample = Optional.of(time);
      return this;
    }

    public Builder workers(int count) {
      this.workers = OptionalInt.of(count);
      return this;
    }

    /**
     * Makes the workload.
     *
     * @throws IllegalArgumentException if a value is out of range, or no rate was set
     */
    public Workload build() {
      return new Workload(
          batchSize,
          examplesPerSecondOfGpu,
          gpus,
          experiments,
          exampleBytes,
          rowBytes,
          examples,
          cpuPerExample,
          workers);
    }
  }
}
