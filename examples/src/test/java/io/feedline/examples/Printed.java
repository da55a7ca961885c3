package io.feedline.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The output of a program, for tests that run it. */
public final class Printed {

  /** The {@code main} of a program. */
  public interface Program {
    void run(String... args) throws Exception;
  }

  private Printed() {}

  /** Runs a program and returns the lines that it printed to the standard output. */
  public static List<String> by(Program program, String... args) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      program.run(args);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
