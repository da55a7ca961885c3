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
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs {@code results/measure-spark} with a java that packs nothing, and says how it was called.
 */
@EnabledOnOs(OS.LINUX)
class MeasureSparkTest {

  /** Each of the programs writes a file of 3 MB where it would write a store. */
  private static final String JAVA =
      """
      #!/usr/bin/env bash
      echo "$*" >>"$(dirname "$0")/calls"
      pack() { mkdir -p "$1" && head -c 3000000 /dev/zero >"$1/shard"; }
      case $* in
        *-XshowSettings*) echo '    java.home = /made/up' >&2 ;;
        -version) printf 'openjdk\\nruntime\\nmade up\\n' >&2 ;;
        *Feedline\\ convert*) while [[ $1 != convert ]]; do shift; done; pack "$3" ;;
        *Feedline\\ verify*) ;;
        *MakePictures*) while [[ $1 != *MakePictures ]]; do shift; done; mkdir -p "$2" ;;
        *PackOnSpark*)
          while [[ $1 != *PackOnSpark ]]; do shift; done
          pack "$3"
          echo "$JAVA_HOME $SPARK_SCALA_VERSION $(ls "$SPARK_HOME") $(ls "$SPARK_HOME/jars")" >>"$(dirname "$0")/spark"
          echo "$3: 40 images in 2.50 s, 8.40 s of processor time, JVMs: ${JVMS:-3}" ;;
        *SameSamples*spark-mds) echo 'only 7 are the same'; exit 1 ;;
        *SameSamples*) echo '40 samples are the same, in another order' ;;
      esac
      """;

  @TempDir private Path kit;

  @BeforeEach
  void copy() throws IOException {
    Files.createDirectories(kit.resolve("bench/results"));
    Files.copy(
        Path.of("results", "measure-spark"),
        kit.resolve("bench/results/measure-spark"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Path java = Files.writeString(kit.resolve("java"), JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.createFile(kit.resolve("spark.jar"));
    Files.createDirectory(kit.resolve("data"));
  }

  private Run measure(String jvms, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("bash");
    command.add(kit.resolve("bench/results/measure-spark").toString());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(kit.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("JVMS", jvms);
    return Run.of(builder, kit);
  }

  private static String[] words(String first, String... more) {
    List<String> all = new ArrayList<>(List.of(first.split(" ")));
    all.addAll(List.of(more));
    all.addAll(List.of("--java", "./java", "--classpath", "bench:jar", "--convertpath", "a:b"));
    return all.toArray(String[]::new);
  }

  @Test
  void shouldTabulateBothWaysOfPacking() throws Exception {
    Run run =
        measure("3", words("packing --pictures 40 --formats mds,tfrecord --sparkpath spark.jar"));

    assertThat(run.exitCode()).as(run.err()).isZero();
    Path directory;
    try (Stream<Path> entries = Files.list(kit.resolve("bench/results"))) {
      directory = entries.filter(Files::isDirectory).findAny().orElseThrow();
    }
    assertThat(directory.toString()).endsWith("-spark-packing");
    List<String> rows =
        Files.readAllLines(directory.resolve("measured.md")).stream()
            .filter(line -> line.startsWith("| mds") || line.startsWith("| tfrecord"))
            .toList();
    assertThat(rows).hasSize(4);
    assertThat(rows.get(0)).matches("\\| mds \\| convert \\| [\\d.]+ \\|  \\| .* \\| 3.0 \\|");
    assertThat(rows.get(1))
        .matches("\\| mds \\| Spark \\| [\\d.]+ \\| 2.50 \\| \\d+ \\| 8.4 \\| 210.00 \\| 3.0 \\|");
    assertThat(Files.readAllLines(kit.resolve("spark")))
        .containsExactly(
            "/made/up 2.13 RELEASE", "jars spark.jar", "/made/up 2.13 RELEASE", "jars spark.jar");
    assertThat(Files.readString(kit.resolve("calls")))
        .contains(
            "-Dspark.master=local-cluster[2,1,1024]",
            "to=mds partitions=8",
            "--to tfrecord --workers 2");
  }

  @Test
  void shouldFailWhereAnExecutorIsNotCounted() throws Exception {
    Run run = measure("2", words("packing --pictures 40 --formats mds --sparkpath spark.jar"));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("2 JVMs were heard of, not 3");
  }

  @Test
  void shouldFailWhereSamplesDiffer() throws Exception {
    String data = kit.resolve("data").toString();
    Run same = measure("3", words("same --formats webdataset --sparkpath spark.jar --data", data));
    assertThat(same.exitCode()).as(same.err()).isZero();
    assertThat(same.out()).containsExactly("webdataset: 40 samples are the same, in another order");

    Run other =
        measure("3", words("same --formats webdataset,mds --sparkpath spark.jar --data", data));
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.out()).last().isEqualTo("mds: only 7 are the same");
  }

  @ParameterizedTest
  @CsvSource({
    "--pictures 4, packing or same?",
    "packing, --sparkpath is needed",
    "same --sparkpath spark.jar, --data must be a directory",
    "same --sparkpath spark.jar --data nowhere, --data must be a directory",
    "packing same, one at a time",
    "packing --rounds, --rounds needs a value",
    "packing --size 4, not understood: --size",
  })
  void shouldRefuse(String words, String reason) throws Exception {
    Run run = measure("3", words.split(" "));

    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains("measure-spark: " + reason);
    assertThat(run.out()).isEmpty();
  }
}
