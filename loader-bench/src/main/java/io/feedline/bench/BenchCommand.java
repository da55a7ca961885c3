package io.feedline.bench;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The common part of this module's commands: {@code --help}, the output streams, and errors for
 * wrong options, which give the reason and exit code 2.
 */
abstract class BenchCommand implements Callable<Integer> {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = Integer.MAX_VALUE, // below the command's own options
      description = "Print this and exit.")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Spec private CommandSpec spec;

  /** The options of a comparison of two sides that take turns, with one thread each. */
  static final class Turns {
    @Option(
        names = "--rounds",
        paramLabel = "N",
        description = "Turns of each that count. Default: ${DEFAULT-VALUE}.")
    int rounds = 7;

    @Option(
        names = "--warm-up",
        paramLabel = "N",
        description = "Turns of each before that. Default: ${DEFAULT-VALUE}.")
    int warmUp;

    @Option(
        names = "--seconds",
        paramLabel = "S",
        description = {
          "CPU time of a turn, at least; a turn goes through all data once or more.",
          "Default: ${DEFAULT-VALUE}."
        })
    double seconds;

    Turns(int warmUp, double seconds) {
      this.warmUp = warmUp;
      this.seconds = seconds;
    }

    void check(BenchCommand command) {
      command.requireAtLeast(1, "--rounds", rounds);
      command.requireAtLeast(0, "--warm-up", warmUp);
      if (!(seconds > 0 && seconds <= 3600)) {
        throw command.wrong("--seconds must be above 0 and at most 3600, was " + seconds);
      }
    }
  }

  /** Returns the command line, which prints to the given writers. */
  final CommandLine commandLine() {
    return new CommandLine(this)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, BenchCommand::pathOrUri)
        .setParameterExceptionHandler(BenchCommand::refuse);
  }

  /** Converts a path, or the URI of a path of any installed provider: {@code s3://bucket/train}. */
  private static Path pathOrUri(String text) {
    if (!text.contains("://")) {
      return Path.of(text);
    }
    try {
      return Path.of(URI.create(text));
    } catch (IllegalArgumentException | IllegalStateException | FileSystemNotFoundException e) {
      // The text itself is left out, since it may contain a password.
      throw new TypeConversionException("this URI is not a path: " + e.getMessage());
    }
  }

  private static int refuse(ParameterException e, String... args) {
    PrintWriter log = e.getCommandLine().getErr();
    log.println(e.getMessage());
    log.println("--help lists the options.");
    log.flush();
    return CommandLine.ExitCode.USAGE;
  }

  /** Returns the destination of results. */
  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final void print(Object line) {
    out().println(line);
    out().flush();
  }

  /** Returns the destination of all other output. */
  final PrintWriter log() {
    return spec.commandLine().getErr();
  }

  /** Returns whether an option is on the command line, even with its default value. */
  final boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /**
   * Checks that an option's number is large enough.
   *
   * @throws ParameterException if it is too small
   */
  final void requireAtLeast(int minimum, String option, int value) {
    if (value < minimum) {
      throw wrong("%s must be %d or more, was %d".formatted(option, minimum, value));
    }
  }

  /** Returns the exception for options that are wrong, or wrong on this machine. */
  final ParameterException wrong(String message) {
    return wrong(message, null);
  }

  /** Returns the exception for wrong options, with a cause; only the message is printed. */
  final ParameterException wrong(String message, Exception cause) {
    return new ParameterException(spec.commandLine(), message, cause);
  }
}
