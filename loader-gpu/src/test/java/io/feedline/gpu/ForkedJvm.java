package io.feedline.gpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the tests in a JVM of its own, with this JVM's class path and environment. */
final class ForkedJvm {

  private static final Duration LIMIT = Duration.ofMinutes(4);

  private ForkedJvm() {}

  record Result(int status, List<String> output) {}

  static Result run(Path directory, List<String> options, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    for (String name : System.getProperties().stringPropertyNames()) {
      if (name.startsWith("ai.djl.") || name.startsWith("feedline.fake.")) {
        command.add("-D%s=%s".formatted(name, System.getProperty(name)));
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    boolean ended;
    try {
      ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    if (!ended) {
      throw new AssertionError(
          "%s did not end in %s, and said %s".formatted(command, LIMIT, lines));
    }
    return new Result(process.exitValue(), lines);
  }
}
