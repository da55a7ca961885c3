package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.internal.VectorApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgainstNativeTest {
  private static final boolean VECTORS = VectorApi.inUse();

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(4, 320, 200);
  }

  private static Run run(String... args) {
    return Run.of(new AgainstNative().commandLine(), args);
  }

  private static String data() {
    return "--data=" + images.root();
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldPrintALineAndARowForEachKindOfWork() {
    Run run =
        run(
            data(),
            "--resize=both",
            "--decode",
            "--decoder=feedline",
            "--scan-index=both",
            "--crops=9",
            "--rounds=2",
            "--warm-up=1",
            "--seconds=0.01");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(2 * Work.values().length);
    Iterator<String> lines = run.out().iterator();
    for (Work work : Work.values()) {
      assertALine(work, "off", lines.next());
      assertALine(work, "memory", lines.next());
      assertThat(run.err()).containsOnlyOnce("| " + work + " |");
      assertThat(run.err()).containsOnlyOnce("| " + work + ", indexed |");
    }
    assertThat(run.err()).contains(Comparison.HEADER, "4 files", VECTORS ? "vector" : "plain");
  }

  private static void assertALine(Work work, String scanIndex, String line) {
    assertThat(line)
        .startsWith("{\"data\":\"" + images.root() + "\",\"images\":4,")
        .contains(
            "\"work\":\"" + work + "\"",
            "\"scan_index\":\"" + scanIndex + "\"",
            "\"crops\":9",
            "\"decoder\":\"feedline\"",
            "\"c\":\"libjpeg-turbo ",
            "\"kernels\":\"" + (VECTORS ? "vector" : "plain") + "\"",
            System.getProperty("java.runtime.version"),
            "\"rounds\":2",
            "\"ratio\":");
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldCompareAPackedStoreOfTheSameImages(@TempDir Path directory) throws IOException {
    Run run =
        run(
            data(),
            "--packed=" + PackedFolder.of(images, directory, 0, 1, 2, 3),
            "--rounds=1",
            "--seconds=0.01");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .satisfiesExactly(
            files -> assertThat(files).contains("\"form\":\"files\"", "\"scan_index\":\"off\""),
            packed -> assertThat(packed).contains("\"form\":\"packed\"", "\"ratio\":"));
    assertThat(run.err()).containsOnlyOnce("| antialias, packed |");
  }

  @Test
  void shouldRefuseAPackedStoreOfOtherImages(@TempDir Path directory) throws IOException {
    Run swapped = run(data(), "--packed=" + PackedFolder.of(images, directory, 1, 0, 2, 3));
    assertThat(swapped.exitCode()).isEqualTo(1);
    assertThat(swapped.err()).contains("differ in", images.root().toString());

    Run fewer =
        run(
            data(),
            "--packed="
                + PackedFolder.of(images, Files.createDirectory(directory.resolve("fewer")), 0));
    assertThat(fewer.exitCode()).isEqualTo(1);
    assertThat(fewer.err()).contains("has 1 images, expected 4");

    run(data(), "--packed=" + directory.resolve("absent")).requireRefused("--packed", "absent");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--seconds, 0, must be above 0",
    "--seconds, NaN, must be above 0",
    "--crops, some, some",
    "--resize, none, leaves nothing to compare",
    "--resize, cubic, expected one of",
    "--decoder, gd, expected one of",
    "--scan-index, sidecar, expected one of",
    "--scale, 2, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run(data(), option + "=" + value).requireRefused(option, reason);
  }

  @Test
  void shouldRefuseDataThatIsNone(@TempDir Path root) throws IOException {
    run().requireRefused("--data");
    run("--data=" + root.resolve("absent")).requireRefused(root.resolve("absent").toString());
    run("--data=" + root).requireRefused("no files *.jpg or *.jpeg below " + root);
    Path text = Files.writeString(root.resolve("text.JPG"), "no JPEG");
    run("--data=" + root).requireRefused(text.toString());
  }

  @Test
  void shouldExplainEveryFigure() {
    Run run = run("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(String.join("\n", run.out()))
        .contains(
            "ratio",
            "scan_index",
            "kernels",
            "feedline_images_per_cpu_second",
            "c_images_per_cpu_second",
            "jvm_overhead");
  }
}
