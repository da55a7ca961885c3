package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.RecordJson;
import io.feedline.formats.cli.internal.command.TimeSpan;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that computes the rates that loading must reach, without running anything. */
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

  @Mixin private GpuStep step;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "GPUs that read from the storage, with a loader each. Default: ${DEFAULT-VALUE}.")
  private int gpus;

  @Option(
      names = "--example-size",
      paramLabel = "BYTES",
      required = true,
      converter = ByteSize.class,
      description = "An example's size as it is stored, on average, such as 64KB.")
  private long exampleSize;

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
        "One of nvme, sata-ssd, disk, nfs, object-store, with figures that are typical of it; or"
            + " your own as LATENCY,READS/s,BYTES/s, such as 30ms,5500,1GB/s: how long a read of one"
            + " example takes, and the most reads and bytes a second."
      })
  private Storage storage;

  @Mixin private Output output;

  @Override
  public Integer call() {
    Plan plan = Plan.of(workload(), storage);
    output.print(RecordJson.of(plan), PlanText.of(plan));
    return ExitCode.OK;
  }

  private Plan.Workload workload() {
    Integer batchSize = step.batchSize();
    Duration stepTime = step.stepTime();
    output.require(
        batchSize != null && stepTime != null,
        "how fast a GPU is must be given: %s",
        GpuStep.EXAMPLE);
    output.require(gpus >= 1, "--gpus must be 1 or more, was %s", gpus);
    output.require(
        workers == null || (workers >= 1 && workers <= Plan.MOST_WORKERS),
        "--workers must be from 1 to %s, was %s",
        Plan.MOST_WORKERS,
        workers);
    return new Plan.Workload(
        batchSize,
        seconds(stepTime),
        gpus,
        exampleSize,
        tensorSize,
        cpuPerExample == null ? null : seconds(cpuPerExample),
        workers);
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
