package io.feedline.examples.training;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs of a training program in this process. */
abstract class TrainingFixture {

  @TempDir static Path shared;
  @TempDir Path temp;

  final StopSignal stop = new StopSignal();
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  final int run(Function<StopSignal, CommandLine> program, String... args) {
    return program
        .apply(stop)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  final List<String> lines() {
    return out.toString().lines().toList();
  }

  /** Returns the standard error without the progress. */
  final String errors() {
    return err.toString()
        .lines()
        .filter(line -> !line.matches("\\[ *[0-9.]+ s\\] .*"))
        .collect(Collectors.joining("\n"));
  }
}
