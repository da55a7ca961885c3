package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteRate;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes what loading has to give, before anything runs. */
@Command(
    name = "plan",
    description = {
      "Computes what loading has to give so that GPUs do not wait: examples and reads a second,"
          + " bandwidth, workers, memory; and whether a storage suffices. Reads no data.",
      "KB, MB and GB are powers of 1024: 64KB are 65536 bytes. All figures are averages."
    },
    sortOptions = false,
    sortSynopsis = false,
    mixinStandardHelpOptions = true)
public final class PlanCommand implements Callable<Integer> {

  private static final double MOST_PER_SECOND = 1e12;

  @Mixin private GpuStep step;

  @Option(
      names = "--examples-per-second",
      paramLabel = "RATE",
      description = "Examples that a GPU takes, in place of --step-time.")
  private Double examplesPerSecond;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "1",
      description = "GPUs of an experiment, with a loader each. Default: ${DEFAULT-VALUE}.")
  private int gpus;

  @Option(
      names = "--experiments",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Experiments that read from the same storage at the same time. Default: ${DEFAULT-VALUE}."
      })
  private int experiments;

  @Option(
      names = "--example-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = {
        "An example's size as it is stored, on average, such as 64KB. Default: --dataset-size"
            + " divided by --examples."
      })
  private Long exampleSize;

  @Option(
      names = "--examples",
      paramLabel = "N",
      description = "Examples of the data set, for the time of an epoch.")
  private Long examples;

  @Option(
      names = "--dataset-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The size of the data set, in place of --examples or of --example-size.")
  private Long datasetSize;

  @Option(
      names = "--tensor-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = {
        "An example's size in a batch, for the memory of prefetching: 588KB for 224x224x3 floats."
            + " Default: --example-size."
      })
  private Long tensorSize;

  @Option(
      names = "--cpu-per-example",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "How long a processor decodes and transforms one example, such as 2ms.")
  private Duration cpuPerExample;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = {
        "Workers of each GPU's loader; each waits for one read at a time. Default: as many as are"
            + " needed."
      })
  private Integer workers;

  @Option(
      names = "--storage",
      paramLabel = "KIND",
      converter = Storage.Converter.class,
      description = {
        "One of nvme, sata-ssd, disk, nfs, object-store, with figures that are typical of it, which"
            + " the next three options replace."
      })
  private Storage storage;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "How long the storage takes for a read of one example.")
  private Duration latency;

  @Option(
      names = "--storage-reads-per-second",
      paramLabel = "RATE",
      description = "The most reads that the storage gives in a second.")
  private Double storageReads;

  @Option(
      names = "--storage-bandwidth",
      paramLabel = "BYTES/s",
      converter = ByteRate.class,
      description = "The most bytes that the storage gives in a second, such as 500MB/s.")
  private Long storageBandwidth;

  @Mixin private Output output;

  @Override
  public Integer call() {
    Optional<Storage> from = storage();
    Plan plan = Plan.of(workload(), from);
    output.print(PlanJson.of(plan), PlanText.of(plan));
    return ExitCode.OK;
  }

  private Workload workload() {
    atLeastOne("--gpus", gpus);
    atLeastOne("--experiments", experiments);
    long size = exampleBytes();
    Integer batchSize = step.batchSize();
    double rate = rate(batchSize);
    long inAll = exampleCount();
    output.require(
        workers == null || (workers >= 1 && workers <= Plan.MOST_WORKERS),
        "--workers must be from 1 to %s, was %s",
        Plan.MOST_WORKERS,
        workers);
    return new Workload(
        batchSize == null ? OptionalInt.empty() : OptionalInt.of(batchSize),
        rate,
        gpus,
        experiments,
        size,
        tensorSize == null ? OptionalLong.empty() : OptionalLong.of(tensorSize),
        inAll == 0 ? OptionalLong.empty() : OptionalLong.of(inAll),
        cpuPerExample == null ? OptionalDouble.empty() : OptionalDouble.of(seconds(cpuPerExample)),
        workers == null ? OptionalInt.empty() : OptionalInt.of(workers));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** Returns the examples a second that a GPU takes. */
  private double rate(@Nullable Integer batchSize) {
    Duration stepTime = step.stepTime();
    output.require(
        stepTime == null || examplesPerSecond == null,
        "--step-time and --examples-per-second say the same in two ways: give one of them");
    if (stepTime != null) {
      output.require(batchSize != null, "--step-time needs --batch-size, the examples of a step");
      return batchSize / seconds(stepTime);
    }
    output.require(
        examplesPerSecond != null,
        "how fast a GPU is must be given: %s, or --examples-per-second",
        GpuStep.EXAMPLE);
    positive("--examples-per-second", examplesPerSecond);
    return examplesPerSecond;
  }

  private long exampleBytes() {
    output.require(
        exampleSize == null || examples == null || datasetSize == null,
        "--example-size, --examples and --dataset-size: two of them give the third, so leave one"
            + " out");
    if (exampleSize != null) {
      return exampleSize;
    }
    output.require(
        examples != null && datasetSize != null,
        "the size of an example must be given: --example-size, such as 64KB, or --dataset-size with"
            + " --examples");
    atLeastOne("--examples", examples);
    output.require(
        datasetSize >= examples,
        "--dataset-size must be a byte or more for each of %s --examples, was %s",
        examples,
        datasetSize);
    return Math.round((double) datasetSize / examples);
  }

  /** The number of examples, or 0 where it is not known. */
  private long exampleCount() {
    if (examples != null) {
      atLeastOne("--examples", examples);
      return examples;
    }
    if (datasetSize == null || exampleSize == null) {
      return 0;
    }
    output.require(
        datasetSize >= exampleSize,
        "--dataset-size must be at least one --example-size, %s bytes, was %s",
        exampleSize,
        datasetSize);
    return datasetSize / exampleSize;
  }

  private Optional<Storage> storage() {
    List<String> given = new ArrayList<>();
    if (latency != null) {
      given.add("--latency");
    }
    if (storageReads != null) {
      positive("--storage-reads-per-second", storageReads);
      given.add("--storage-reads-per-second");
    }
    if (storageBandwidth != null) {
      given.add("--storage-bandwidth");
    }
    if (storage == null) {
      if (given.isEmpty()) {
        return Optional.empty();
      }
      output.require(
          given.size() == 3,
          "%s without the others: a storage is --storage KIND, or all of --latency,"
              + " --storage-reads-per-second and --storage-bandwidth",
          String.join(", ", given));
      return Optional.of(
          new Storage("the storage", seconds(latency), storageReads, storageBandwidth, "as given"));
    }
    return Optional.of(
        new Storage(
            storage.name(),
            latency == null ? storage.latencySeconds() : seconds(latency),
            storageReads == null ? storage.readsPerSecond() : storageReads,
            storageBandwidth == null ? storage.bytesPerSecond() : storageBandwidth,
            source(storage, given)));
  }

  private static String source(Storage typical, List<String> given) {
    return switch (given.size()) {
      case 0 -> typical.source();
      case 3 -> "as given";
      default -> String.join(", ", given) + " as given; else " + typical.source();
    };
  }

  private void atLeastOne(String option, long value) {
    output.require(value >= 1, "%s must be 1 or more, was %s", option, value);
  }

  private void positive(String option, double value) {
    output.require(
        value > 0 && value <= MOST_PER_SECOND,
        "%s must be above 0, and 1e12 at most, was %s",
        option,
        value);
  }
}
