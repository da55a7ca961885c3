package io.feedline.examples.training;

import io.feedline.DataLoader;
import io.feedline.examples.shared.Narrator;
import io.feedline.formats.report.RunReport;
import io.feedline.gpu.DeviceLoader;
import io.feedline.stats.RunRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The common part of all training programs, in addition to their {@link LoopOptions}.
 *
 * <p>Exit codes: 0 if all epochs are trained, 2 for wrong options, 130 after Ctrl-C, 1 for other
 * errors.
 */
abstract class TrainingProgram implements Callable<Integer> {

  @Spec private CommandSpec spec;

  private Narrator narrator;

  protected final StopSignal stop;

  /** Creates a program that a signal stops. */
  protected TrainingProgram(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public final Integer call() throws IOException {
    try (Narrator speaking = new Narrator(spec.commandLine().getErr())) {
      narrator = speaking;
      narrator.begin("checking the options");
      return execute();
    }
  }

  /** Runs the program, and returns the exit code. */
  protected abstract int execute() throws IOException;

  /** Reports what the program is doing. */
  protected final Narrator narrator() {
    return narrator;
  }

  /** Runs a program as the whole process. */
  static void run(Function<StopSignal, TrainingProgram> program, String... args) {
    int exitCode;
    try (StopSignal stop = StopSignal.ofProcess()) {
      exitCode = commandLine(program.apply(stop)).execute(args);
    }
    System.exit(exitCode);
  }

  /** Returns the command line of a program, which can be executed once. */
  static CommandLine commandLine(TrainingProgram program) {
    return new CommandLine(program)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true) // the last value counts
        .setExecutionExceptionHandler(TrainingProgram::report);
  }

  /** Prints a failure; for a user's mistake, only the message without a stack trace. */
  private static int report(Exception failure, CommandLine command, ParseResult parsed) {
    command.getErr().println("Error: " + failure.getMessage());
    command.getErr().flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /**
   * Validates options, and opens the device that they name.
   *
   * @return the device, which the caller closes
   * @throws ParameterException if an option is wrong, or the device does not exist
   */
  protected final TrainingDevice checkedDevice(LoopOptions options) {
    try {
      options.validate();
      narrator.begin("loading PyTorch");
      return TrainingDevice.open(options, line -> say("%s", line));
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw wrongOption(e.getMessage(), e);
    }
  }

  /**
   * Returns the path of data, which is read through a cache if the options have one.
   *
   * @param option the option that names the data
   * @throws ParameterException if the data cannot be cached
   */
  protected final Path cached(String option, Path data, LoopOptions options) {
    try {
      return DataPath.cached(data, options);
    } catch (IllegalArgumentException e) {
      throw wrongOption("--cache for " + option + ": " + e.getMessage(), e);
    }
  }

  /** Returns the exception for a wrong option. */
  protected final ParameterException wrongOption(String message, Throwable cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }

  /** Returns the writer to which the program prints. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Prints a line. */
  protected final void say(String format, Object... values) {
    out().println(String.format(Locale.ROOT, format, values));
    out().flush();
  }

  /**
   * Trains with a loader, then with a few of its batches repeatedly, and prints the time that
   * loading costs.
   *
   * @param toDevice makes the batches of a loader on the device; closed here
   * @param training trains for one epoch
   */
  protected final void sayHeadspace(
      DeviceLoader batches,
      Function<DataLoader<?>, DeviceLoader> toDevice,
      Function<DeviceLoader, EpochReport> training) {
    say("With batches as they are loaded:");
    EpochReport loaded = training.apply(batches);
    if (stop.requested()) {
      return;
    }
    narrator.begin("loading the batches that are replayed");
    try (DataLoader<?> replay = batches.loader().replay();
        DeviceLoader replayed = toDevice.apply(replay)) {
      say("With batches that are replayed:");
      EpochReport free = training.apply(replayed);
      if (!stop.requested()) {
        say("%s", Headspace.of(loaded, free));
      }
    }
  }

  /**
   * Writes a report of the run, if the options have a file for it.
   *
   * @param batches the batches of the training
   * @throws IOException if the report cannot be written
   */
  protected final void report(LoopOptions options, DeviceLoader batches) throws IOException {
    if (options.report == null) {
      return;
    }
    RunRecord record = batches.runRecord().with("program", spec.name());
    for (OptionSpec option : spec.options()) {
      boolean asks = option.usageHelp() || option.versionHelp();
      if (!asks && option.getValue() != null) {
        record = record.with(option.longestName().substring(2), option.getValue().toString());
      }
    }
    if (options.report.toString().endsWith(".json")) {
      Files.writeString(options.report, record.toJson());
    } else {
      RunReport.of(record).writeTo(options.report);
    }
    say("Wrote the report %s", options.report);
  }

  /** Returns the exit code if no error occurred: 130 if the program was asked to stop, else 0. */
  protected final int exitCode() {
    return stop.requested() ? StopSignal.EXIT_CODE : spec.exitCodeOnSuccess();
  }

  /** Returns the seconds since a time of {@link System#nanoTime}. */
  protected static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
