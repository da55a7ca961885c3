package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that was run to its end.
 *
 * @param out the lines of its standard output
 * @param err its standard error
 */
record EndedProcess(int exitCode, List<String> out, String err) {

  /**
   * Runs a process.
   *
   * @param scratch where its errors are put meanwhile
   * @throws IOException if it cannot be started
   */
  static EndedProcess of(ProcessBuilder builder, Path scratch)
      throws IOException, InterruptedException {
    Path err = Files.createTempFile(scratch, "err", null);
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    try (InputStream out = process.getInputStream()) {
      List<String> lines = new String(out.readAllBytes(), UTF_8).lines().toList();
      return new EndedProcess(process.waitFor(), lines, Files.readString(err));
    } finally {
      process.destroy();
    }
  }
}
