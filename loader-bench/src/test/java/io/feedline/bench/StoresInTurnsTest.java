package io.feedline.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoresInTurnsTest {

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(4, 320, 200);
  }

  private static Run run(String... args) {
    return Run.of(new StoresInTurns().commandLine(), args);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--in-memory", "--resize=decode"})
  void shouldCompareTwoStoresOfTheSamePixels(String option, @TempDir Path directory)
      throws IOException {
    assertCompared(option, directory);
  }

  /** Elsewhere dd cannot drop a file from the page cache. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldCompareTwoStoresThatAreReadFromTheDisk(@TempDir Path directory) throws IOException {
    assertCompared("--cold", directory);
  }

  private static void assertCompared(String option, Path directory) throws IOException {
    Path other = PackedFolder.of(images, directory, 0, 1, 2, 3);
    Run run =
        run(
            "--base=" + images.root(),
            "--other=" + other,
            "--rounds=2",
            "--warm-up=1",
            "--seconds=0.01",
            "--compared=3",
            option);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .singleElement()
        .asString()
        .contains(
            "\"images\":4",
            "\"equal_crops\":12",
            "\"rounds\":2",
            "\"in_memory\":" + option.equals("--in-memory"),
            "\"cold\":" + option.equals("--cold"),
            "\"ratio\":",
            "\"ratio_per_second\":",
            System.getProperty("java.runtime.version"));
    assertThat(run.err())
        .contains("| images | base | other |", "| per CPU-second, ", "| per second, ");
  }

  @Test
  void shouldSayWhichImagesDiffer(@TempDir Path directory) throws IOException {
    Path other = directory.resolve("black");
    byte[] header = "P6\n320 200\n255\n".getBytes(US_ASCII);
    byte[] black = Arrays.copyOf(header, header.length + 3 * 320 * 200);
    try (ImageStoreWriter writer =
        StoreFormat.named("lmdb").create(other, Packing.of(List.of(), 4))) {
      for (int i = 0; i < 4; i++) {
        writer.write(new EncodedImage("image " + i, black, i));
      }
      writer.commit();
    }
    Run run = run("--base=" + images.root(), "--other=" + other, "--rounds=1", "--seconds=0.01");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("differ in").contains(other.toString());
  }

  @Test
  void shouldRefuseStoresOfDifferentSizes(@TempDir Path directory) throws IOException {
    Path other = PackedFolder.of(images, directory, 0, 1);
    run("--base=" + images.root(), "--other=" + other)
        .requireRefused("--base has 4 images and --other 2");
    run("--base=" + images.root(), "--other=" + directory.resolve("absent"))
        .requireRefused("--other");
    run("--base=" + images.root()).requireRefused("--other");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--compared, 0, must be 1 or more",
    "--seconds, 0, must be above 0",
    "--resize, cubic, expected one of",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run("--base=" + images.root(), "--other=" + images.root(), option + "=" + value)
        .requireRefused(option, reason);
  }
}
