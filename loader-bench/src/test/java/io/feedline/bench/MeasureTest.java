package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs {@code results/measure} away from the repository, with a java that prints what was made up
 * for it.
 */
@EnabledOnOs(OS.LINUX)
@EnabledIf(
    value = "io.feedline.bench.Python#isThere",
    disabledReason = "no python3; PYTHON names one")
class MeasureTest {

  /** Says how it was called; images/s and images per CPU-second grow with workers and epochs. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      echo "$*" >>"$(dirname "$0")/calls"
      case $* in
        --list-modules) echo java.base@25 ;;
        -version) printf 'openjdk\\nruntime made up\\n' >&2 ;;
        *Throughput*)
          workers=8 epochs=1
          while (($#)); do
            case $1 in --workers) workers=$2 ;; --epochs) epochs=$2 ;; esac
            shift
          done
          for ((epoch = 0; epoch < epochs; epoch++)); do
            echo '{"images":300,"images_per_second":'$((500 * workers + epoch))',"images_per_cpu_second":'$((400 + epoch))'}'
          done ;;
        *EmptyLoader*)
          while (($#)); do
            if [[ $1 == -rff ]]; then
              echo '[{"params":{"workers":"1"},"primaryMetric":{"score":2500000.0,"scoreError":"NaN"}},{"params":{"workers":"2"},"primaryMetric":{"score":5500000.0,"scoreError":61234.5}}]' >"$2"
            fi
            shift
          done ;;
      esac
      """;

  /** Has torchvision, whose loader always reads 100 images/s. */
  private static final String PYTHON =
      """
      #!/usr/bin/env bash
      case $* in
        *'import torchvision'*) ;;
        *torchvision_loader*)
          for epoch in 1 2 3 4; do echo '{"images_per_second":100}'; done ;;
        *) exec %s "$@" ;;
      esac
      """;

  @TempDir private Path kit;

  @BeforeEach
  void copy() throws IOException {
    Files.createDirectories(kit.resolve("bench/results"));
    try (Stream<Path> scripts = Files.list(Path.of("results"))) {
      for (Path script : scripts.filter(Files::isRegularFile).toList()) {
        Files.copy(
            script,
            kit.resolve("bench/results").resolve(script.getFileName()),
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    program("java", JAVA);
    Files.createDirectory(kit.resolve("data"));
  }

  private void program(String name, String text) throws IOException {
    Path program = Files.writeString(kit.resolve(name), text);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private Run measure(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(kit.resolve("bench/results/measure").toString());
    command.addAll(List.of(args));
    ProcessBuilder builder = Python.process("bash", command);
    builder.environment().remove("JAVA17_HOME");
    builder.environment().remove("JAVA25_HOME");
    return Run.of(builder, kit);
  }

  @Test
  void shouldTabulateWhatWorkersBring() throws Exception {
    program("python", PYTHON.formatted(Python.command()));
    Run run =
        measure(
            "scaling",
            "--data",
            kit.resolve("data").toString(),
            "--java25",
            kit.resolve("java").toString(),
            "--classpath",
            "bench.jar:lib/*",
            "--python",
            kit.resolve("python").toString(),
            "--rounds",
            "3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    String measured = Files.readString(only("-scaling").resolve("measured.md"));
    assertThat(measured)
        .contains(
            "- runtime made up",
            "| 1 | 503 (502 - 504) | 1.00 | 403 (402 - 404) | 100 (100 - 100) | 5.03 | 2.5 |",
            "--pipeline train --workers 1 --epochs 5 --repeat 4\n");
    int processors = Integer.parseInt(Run.of(new ProcessBuilder("nproc"), kit).out().get(0));
    if (processors >= 2) {
      assertThat(measured)
          .contains(
              "| 2 | 1003 (1002 - 1004) | 1.99 | 403 (402 - 404) | 100 (100 - 100) | 10.03 | 5.5 ± 0.1 |");
    }
    assertThat(measured.contains("Pipeline train, 16 workers")).isEqualTo(processors >= 16);
    assertThat(Files.readAllLines(kit.resolve("calls")))
        .filteredOn(call -> call.contains("-cp"))
        .allMatch(call -> call.contains("-cp bench.jar:lib/* "))
        .noneMatch(call -> call.contains("jdk.incubator.vector"));
  }

  private Path only(String suffix) throws IOException {
    try (Stream<Path> entries = Files.list(kit.resolve("bench/results"))) {
      return entries.filter(entry -> entry.toString().endsWith(suffix)).findAny().orElseThrow();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "scaling --java25 java, --data is needed",
    "scaling --data DATA, --java25 or --java17 is needed",
    "scaling --data nowhere --java25 java, --data must be a directory",
    "scaling --data DATA --java25 java, not built",
    "formats --data DATA --java17 java --java25 java --classpath bench.jar, not built",
    "against-c --data DATA --java25 java --classpath bench.jar, --java17 and --java25 are needed",
    "scaling --classpath, --classpath needs a value",
    "gpu, not understood: gpu",
    "everything, not understood: everything",
  })
  void shouldRefuseWhatCannotBeMeasured(String args, String reason) throws Exception {
    Run run = measure(args.replace("DATA", kit.resolve("data").toString()).split(" ", -1));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("measure: " + reason);
  }
}
