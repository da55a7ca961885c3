package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class TransformsTest {

  /** Answers as torchvision's half does, without it. */
  private static final String PEER =
      """
      import sys
      print("ready a library made up", flush=True)
      for line in sys.stdin:
          print("100 0.05", flush=True)
      """;

  private static final Pattern PEERS_TRANSFORM =
      Pattern.compile("^    \"([^\"]+)\": v2\\.", Pattern.MULTILINE);

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(2, 320, 240);
  }

  private static Run run(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--rounds=1", "--warm-up=0", "--seconds=0.0001"));
    return Run.of(new Transforms().commandLine(), arguments.toArray(String[]::new));
  }

  @Test
  @EnabledIf(
      value = "io.feedline.bench.Python#isThere",
      disabledReason = "no python3; PYTHON names one")
  void shouldCompareEachTransform(@TempDir Path directory) throws IOException {
    Path peer = Files.writeString(directory.resolve("peer.py"), PEER);

    Run run = run("--data=" + images.root(), "--python=" + Python.command(), "--peer=" + peer);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSameSizeAs(Transforms.transforms().keySet());
    assertThat(run.out().get(0))
        .contains(
            "\"transform\":\"Resize\"",
            "\"torchvision\":\"a library made up\"",
            "\"rounds\":1",
            "\"ratio\":",
            "\"torchvision_images_per_cpu_second\":2000");
    assertThat(run.err()).contains("| images per CPU-second |", "| AugMix |");
  }

  @Test
  void shouldHaveTheTransformsOfItsPeer() throws IOException {
    String peer = Files.readString(Path.of("peers", "transforms.py"));

    assertThat(PEERS_TRANSFORM.matcher(peer).results().map((MatchResult match) -> match.group(1)))
        .containsExactlyElementsOf(Transforms.transforms().keySet());
  }

  @Test
  void shouldRefuseWhatMakesNoSense(@TempDir Path empty) {
    run("--data=" + images.root(), "--only=Resizing")
        .requireRefused("--only must be one of [Resize, ", "was Resizing");
    run("--data=" + empty).requireRefused("has no *.jpg", empty.toString());
    run("--data=" + images.root(), "--images=0").requireRefused("--images");
  }
}
