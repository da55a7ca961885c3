package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.TimeSpan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the speed of a GPU: the batch size, and the time of a training step. */
public final class GpuStep {

  /** The end of an error message if these options are missing: an example of both. */
  public static final String EXAMPLE =
      "--batch-size with --step-time, such as 128 with 87ms, what a step takes that does not wait"
          + " for data (DataLoader.replay() gives a batch again and again)";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--batch-size", paramLabel = "N", description = "Examples of a batch of one GPU.")
  private Integer batchSize;

  @Option(
      names = "--step-time",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = {
        "How long a GPU, or whatever trains, computes with a batch, without waiting for data, such"
            + " as 87ms or 0.087s: it takes N / TIME examples a second."
      })
  private Duration stepTime;

  /** Returns the batch size, and fails if it is below 1; null if the option is missing. */
  public @Nullable Integer batchSize() {
    if (batchSize != null && batchSize < 1) {
      throw new ParameterException(
          command.commandLine(), "--batch-size must be 1 or more, was " + batchSize);
    }
    return batchSize;
  }

  /** Returns the time of a step, above zero; null if the option is missing. */
  public @Nullable Duration stepTime() {
    return stepTime;
  }
}
