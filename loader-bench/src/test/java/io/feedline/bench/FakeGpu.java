package io.feedline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fake CUDA driver of loader-gpu's tests, for a benchmark in a JVM of its own: whatever is
 * measured then, it is no GPU.
 */
final class FakeGpu {
  private static final Path SOURCES = Path.of("../loader-gpu/src/test/native");
  private static final String NAME = "libcuda.so.1";

  private FakeGpu() {}

  /** What this machine lacks to have one, in words; empty if it lacks nothing. */
  static Optional<String> missing() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of("the fake CUDA driver is a Linux library");
    }
    boolean compiler =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(directory -> Files.isExecutable(Path.of(directory, "gcc")));
    return compiler ? Optional.empty() : Optional.of("the fake CUDA driver needs gcc");
  }

  /**
   * Runs a class's {@code main} where the fake is the driver.
   *
   * @param scratch where the fake is compiled
   * @return how it ended and what it printed
   */
  static EndedProcess run(Path scratch, Class<?> program, String... args)
      throws IOException, InterruptedException {
    if (!Files.exists(scratch.resolve(NAME))) {
      compile(scratch.resolve(NAME));
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // jHDF's settings, on the class path of tests, would send the log to standard output.
    command.add("-Dorg.slf4j.simpleLogger.logFile=System.err");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LD_LIBRARY_PATH", scratch.toString());
    return EndedProcess.of(builder, scratch);
  }

  private static void compile(Path library) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("gcc", "-std=c11", "-O2", "-fPIC", "-fvisibility=hidden", "-shared"));
    command.addAll(List.of("-pthread", "-Wl,-soname," + NAME, "-Wl,-z,nodelete", "-o"));
    command.add(library.toString());
    try (Stream<Path> files = Files.list(SOURCES)) {
      files.map(Path::toString).filter(file -> file.endsWith(".c")).forEach(command::add);
    }
    EndedProcess ended = EndedProcess.of(new ProcessBuilder(command), library.getParent());
    if (ended.exitCode() != 0) {
      throw new IOException("cannot compile the fake CUDA driver: " + ended.err());
    }
  }
}
