package io.feedline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A JVM of its own, for a benchmark, where another library is the CUDA driver, also on a machine
 * that has a real one: the fake of loader-gpu's tests, whose figures are of no GPU, or one without
 * functions.
 */
public final class FakeDriverProcess {
  private static final Path SOURCES = Path.of("../loader-gpu/src/test/native");
  private static final Path MANAGEMENT_SOURCES = Path.of("src/test/native/nvml");
  private static final String NAME = "libcuda.so.1";
  private static final String MANAGEMENT = "libnvidia-ml.so.1";

  private static final List<String> COMPILERS = List.of("gcc", "cc");

  /** Those of loader-gpu's {@code FakeLibrary}. */
  private static final List<String> OPTIONS =
      List.of(
          "-std=c11",
          "-O2",
          "-Wall",
          "-Wextra",
          "-Werror",
          "-fPIC",
          "-fvisibility=hidden",
          "-shared",
          "-pthread",
          "-Wl,-z,nodelete");

  private FakeDriverProcess() {}

  /** Tests whether this machine is a Linux with a compiler. */
  public static boolean isPossible() {
    return System.getProperty("os.name").equals("Linux") && compiler().isPresent();
  }

  private static Optional<String> compiler() {
    return COMPILERS.stream()
        .filter(
            name ->
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory, name))))
        .findFirst();
  }

  /**
   * Runs a class's {@code main} where the fake is the driver.
   *
   * @param scratch an empty directory, where the fake is compiled
   * @return how it ended and what it printed
   */
  static Run run(Path scratch, Class<?> program, String... args)
      throws IOException, InterruptedException {
    compile(SOURCES, scratch, NAME);
    return start(scratch, program, args);
  }

  /**
   * Runs a program in Python where the fakes are the driver and its management library.
   *
   * @param scratch an empty directory, where both are compiled
   */
  static Run python(Path scratch, String program) throws IOException, InterruptedException {
    compileBoth(scratch);
    ProcessBuilder builder = Python.process(Python.command(), List.of("-c", program));
    builder.environment().put("LD_LIBRARY_PATH", scratch.toString());
    builder.environment().put("PYTHONPATH", "peers");
    return Run.of(builder, scratch);
  }

  /**
   * Runs a class's {@code main} where the fakes are the driver and its management library.
   *
   * @param scratch an empty directory, where both are compiled
   * @return what it printed, line by line, and its errors where it failed
   */
  public static List<String> printedByBoth(Path scratch, Class<?> program)
      throws IOException, InterruptedException {
    compileBoth(scratch);
    Run run = start(scratch, program);
    return run.exitCode() == 0 ? run.out() : List.of(run.err());
  }

  private static void compileBoth(Path scratch) throws IOException, InterruptedException {
    compile(SOURCES, scratch, NAME);
    compile(MANAGEMENT_SOURCES, scratch, MANAGEMENT);
  }

  /**
   * Runs a class's {@code main} where the driver has not one function.
   *
   * @param scratch an empty directory, where that driver is compiled
   * @return how it ended and what it printed
   */
  static Run runWithoutFunctions(Path scratch, Class<?> program, String... args)
      throws IOException, InterruptedException {
    Path sources = Files.createDirectory(scratch.resolve("sources"));
    Files.createFile(sources.resolve("empty.c"));
    compile(sources, scratch, NAME);
    return start(scratch, program, args);
  }

  private static Run start(Path scratch, Class<?> program, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // jHDF's settings, on the class path of tests, would send the log to standard output.
    command.add("-Dorg.slf4j.simpleLogger.logFile=System.err");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LD_LIBRARY_PATH", scratch.toString());
    return Run.of(builder, scratch);
  }

  private static void compile(Path sources, Path scratch, String name)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(compiler().orElseThrow());
    command.addAll(OPTIONS);
    command.add("-Wl,-soname," + name);
    command.addAll(List.of("-o", scratch.resolve(name).toString()));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".c")).forEach(command::add);
    }
    Run compilation = Run.of(new ProcessBuilder(command), scratch);
    if (compilation.exitCode() != 0) {
      throw new IOException("cannot compile a driver: " + compilation.err());
    }
  }
}
