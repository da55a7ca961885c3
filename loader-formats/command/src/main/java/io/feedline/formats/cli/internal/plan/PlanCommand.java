package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteRate;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.RecordJson;
import io.feedline.formats.cli.internal.command.TimeSpan;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Computes the rates that loading must reach, before anything runs. */
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

  private static final double MOST_READS = 1e12;

  @Mixin private GpuStep step;

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
      description = "Experiments that share the storage. Default: ${DEFAULT-VALUE}.")
  private int experiments;

  @Option(
      names = "--example-size",
      paramLabel = "BYTES",
      required = true,
      converter = ByteSize.class,
      description = "An example's size as it is stored, on average, such as 64KB.")
  private long exampleSize;

  @Option(
      names = "--examples",
      paramLabel = "N",
      description = "Examples of the data set, for the time of an epoch.")
  private Long examples;

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
      description = "Workers of each GPU's loader. Default: as many as are needed.")
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
    Plan plan = Plan.of(workload(), storage());
    output.print(RecordJson.of(plan), PlanText.of(plan));
    return ExitCode.OK;
  }

  private Workload workload() {
    Integer batchSize = step.batchSize();
    Duration stepTime = step.stepTime();
    output.require(
        batchSize != null && stepTime != null,
        "how fast a GPU is must be given: %s",
        GpuStep.EXAMPLE);
    atLeastOne("--gpus", gpus);
    atLeastOne("--experiments", experiments);
    if (examples != null) {
      atLeastOne("--examples", examples);
    }
    output.require(
        workers == null || (workers >= 1 && workers <= Plan.MOST_WORKERS),
        "--workers must be from 1 to %s, was %s",
        Plan.MOST_WORKERS,
        workers);
    return new Workload(
        batchSize,
        seconds(stepTime),
        gpus,
        experiments,
        exampleSize,
        tensorSize,
        examples,
        cpuPerExample == null ? null : seconds(cpuPerExample),
        workers);
  }

  private @Nullable Storage storage() {
    long given =
        Stream.of(latency, storageReads, storageBandwidth).filter(Objects::nonNull).count();
    if (storage == null && given == 0) {
      return null;
    }
    output.require(
        storage != null || given == 3,
        "a storage is --storage KIND, or all of --latency, --storage-reads-per-second and"
            + " --storage-bandwidth");
    output.require(
        storageReads == null || (storageReads > 0 && storageReads <= MOST_READS),
        "--storage-reads-per-second must be above 0, and 1e12 at most, was %s",
        storageReads);
    Storage kind = storage == null ? new Storage("the storage", 0, 0, 0, "") : storage;
    return new Storage(
        kind.name(),
        latency == null ? kind.latencySeconds() : seconds(latency),
        storageReads == null ? kind.readsPerSecond() : storageReads,
        storageBandwidth == null ? kind.bytesPerSecond() : storageBandwidth,
        given == 0 ? kind.source() : given == 3 ? "as given" : "as given, others " + kind.source());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private void atLeastOne(String option, long value) {
    output.require(value >= 1, "%s must be 1 or more, was %s", option, value);
  }
}
