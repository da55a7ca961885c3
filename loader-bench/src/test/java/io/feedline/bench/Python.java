package io.feedline.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Python of this machine, for the scripts of this module. The command is that of the
 * environment's variable PYTHON, or else python3, also the system's own.
 */
final class Python {
  private static final Optional<String> COMMAND =
      Stream.of(System.getenv().getOrDefault("PYTHON", "python3"), "/usr/bin/python3")
          .filter(Python::isPython)
          .findFirst();

  private Python() {}

  /** Tests whether there is a Python at all. */
  static boolean isThere() {
    return COMMAND.isPresent();
  }

  /** The command of one, with the standard library at least. */
  static String command() {
    return COMMAND.orElseThrow();
  }

  /**
   * A process that runs one, considerate of other tests.
   *
   * @param arguments of the interpreter: a script and its arguments, or {@code -c} and a program
   */
  static ProcessBuilder process(String command, List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.add(command);
    all.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(all);
    builder.environment().put("OMP_WAIT_POLICY", "PASSIVE");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    return builder;
  }

  private static boolean isPython(String command) {
    try {
      Process process =
          new ProcessBuilder(command, "-c", "import json")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting " + command, e);
    }
  }
}
