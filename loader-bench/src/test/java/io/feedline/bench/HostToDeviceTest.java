package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostToDeviceTest {

  private static Run run(String... args) {
    return Run.of(new HostToDevice().commandLine(), args);
  }

  /**
   * The binding, the order of its calls and the bytes that arrive; of figures this says nothing.
   */
  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldCopyEveryWayThroughTheFakeDriver(@TempDir Path scratch) throws Exception {
    Run run =
        runOnFake(
            scratch,
            "--bytes=4096,100001",
            "--ceiling-bytes=500000",
            "--batches=7",
            "--rounds=2",
            "--warm-up=1");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(7);
    assertThat(run.out()).allMatch(line -> line.contains("\"gpu\":\"Fake CUDA device 0\""));
    for (CopyKind kind : CopyKind.values()) {
      assertThat(run.out())
          .filteredOn(line -> line.contains("\"kind\":\"" + kind + "\""))
          .hasSize(kind == CopyKind.CEILING ? 1 : 2);
    }
    assertThat(run.err()).contains("2 rounds of 7 batches", "| overlapped | 0.1 |");
  }

  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldRefuseAGpuThatTheFakeDriverHasNot(@TempDir Path scratch) throws Exception {
    Run run = runOnFake(scratch, "--gpu=1");
    run.requireRefused("--gpu must be below 1, the number of GPUs, was 1");
  }

  @Test
  @EnabledIf(value = "hasFake", disabledReason = "the fake CUDA driver needs Linux and gcc or cc")
  void shouldSayThatThereIsNoDriver(@TempDir Path scratch) throws Exception {
    runWithoutFunctions(scratch, "--bytes=4096")
        .requireRefused("cannot measure without a GPU: ", "driver");
  }

  @ParameterizedTest
  @CsvSource({
    "--bytes, 15, must be 16 or more",
    "--bytes, '4096,8', must be 16 or more",
    "--bytes, all, all",
    "--batches, 0, must be 1 or more",
    "--host-slots, 0, must be 1 or more",
    "--ceiling-bytes, 1, must be 16 or more",
    "--gpu, -1, must be 0 or more",
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--speed, 9, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run(option + "=" + value).requireRefused(option, reason);
  }

  @Test
  void shouldExplainEveryRowAndFigure() {
    Run run = run("--help");
    assertThat(run.exitCode()).isZero();
    String help = String.join("\n", run.out());
    for (CopyKind kind : CopyKind.values()) {
      assertThat(help).contains("  " + kind + " ");
    }
    assertThat(help).contains("gb_per_second", "ratio", "batch_ms", "held_up_us");
  }

  @ParameterizedTest
  @CsvSource({"12080, 12.8", "11040, 11.4", "13000, 13.0"})
  void shouldReadTheDriversVersion(int driver, String version) {
    assertThat(HostToDevice.version(driver)).isEqualTo(version);
  }

  // ---- a JVM of its own, whose CUDA driver is the fake of the tests of loader-gpu ---------------

  private static final Path SOURCES = Path.of("../loader-gpu/src/test/native");
  private static final String NAME = "libcuda.so.1";

  private static final List<String> COMPILERS = List.of("gcc", "cc");

  /** The options of loader-gpu's {@code FakeLibrary}. */
  private static final String OPTIONS =
      "-std=c11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -pthread -Wl,-z,nodelete";

  static boolean hasFake() {
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

  /** Runs the program where the fake is the driver. */
  private static Run runOnFake(Path scratch, String... args)
      throws IOException, InterruptedException {
    compile(SOURCES, scratch);
    return start(scratch, args);
  }

  /** Runs the program where the driver has not one function. */
  private static Run runWithoutFunctions(Path scratch, String... args)
      throws IOException, InterruptedException {
    Path sources = Files.createDirectory(scratch.resolve("sources"));
    Files.createFile(sources.resolve("empty.c"));
    compile(sources, scratch);
    return start(scratch, args);
  }

  private static Run start(Path scratch, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    // jHDF's settings, on the class path of tests, would send the log to standard output.
    command.add("-Dorg.slf4j.simpleLogger.logFile=System.err");
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), HostToDevice.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LD_LIBRARY_PATH", scratch.toString());
    return Run.of(builder, scratch);
  }

  private static void compile(Path sources, Path scratch) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(compiler().orElseThrow());
    command.addAll(List.of(OPTIONS.split(" ", -1)));
    command.add("-Wl,-soname," + NAME);
    command.addAll(List.of("-o", scratch.resolve(NAME).toString()));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).filter(file -> file.endsWith(".c")).forEach(command::add);
    }
    Run compilation = Run.of(new ProcessBuilder(command), scratch);
    if (compilation.exitCode() != 0) {
      throw new IOException("cannot compile a driver: " + compilation.err());
    }
  }
}
