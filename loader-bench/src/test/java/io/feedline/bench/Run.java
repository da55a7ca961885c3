package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;

/**
 * The exit code and the output of a command, run here or in a process of its own.
 *
 * @param out the lines of its standard output
 * @param err its standard error
 */
record Run(int exitCode, List<String> out, String err) {

  /** Runs a command here. */
  static Run of(CommandLine command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(args);
    return new Run(exitCode, out.toString().lines().toList(), err.toString());
  }

  /**
   * Runs a process to its end.
   *
   * @param scratch where its errors are put meanwhile
   * @throws IOException if it cannot be started
   */
  static Run of(ProcessBuilder builder, Path scratch) throws IOException, InterruptedException {
    Path err = Files.createTempFile(scratch, "err", null);
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    try (InputStream out = process.getInputStream()) {
      List<String> lines = new String(out.readAllBytes(), UTF_8).lines().toList();
      return new Run(process.waitFor(), lines, Files.readString(err));
    } finally {
      process.destroy();
    }
  }

  /** Requires that it was refused with these words, with no figures and no stack trace. */
  void requireRefused(String... reasons) {
    assertThat(exitCode).as(err).isEqualTo(2);
    assertThat(out).isEmpty();
    assertThat(err).contains(reasons).doesNotContain("\tat ");
  }
}
