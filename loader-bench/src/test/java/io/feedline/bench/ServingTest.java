package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class ServingTest {

  /** Answers as torchvision's half does, without it: all pixels are 0. */
  private static final String PEER =
      """
      import sys
      print("ready a library made up", flush=True)
      for line in sys.stdin:
          words = line.split()
          if words[0] == "dump":
              open(words[3], "wb").write(bytes(4 * 3 * 224 * 224))
              print("dumped " + words[3], flush=True)
          else:
              print("100 0.05", flush=True)
      """;

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(2, 320, 240);
  }

  private static Run run(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--rounds=1", "--warm-up=0", "--seconds=0.0001"));
    return Run.of(new Serving().commandLine(), arguments.toArray(String[]::new));
  }

  @Test
  @EnabledIf(
      value = "io.feedline.bench.Python#isThere",
      disabledReason = "no python3; PYTHON names one")
  void shouldComparePixelsAndSpeed(@TempDir Path directory) throws IOException {
    Path peer = Files.writeString(directory.resolve("peer.py"), PEER);

    Run run = run("--data=" + images.root(), "--python=" + Python.command(), "--peer=" + peer);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(2 + 8);
    assertThat(run.out().get(0)).contains("\"pixels\":\"Feedline\"", "\"different\":");
    assertThat(run.out().get(2))
        .contains("\"load\":\"1,1,cpu\"", "\"torchvision\":2000", "\"by_djl\":");
    assertThat(run.err()).contains("| 32 x 2, ms per request |", "| of 2 images |");
  }

  @Test
  void shouldRefuseWhatMakesNoSense(@TempDir Path empty) {
    run("--data=" + empty).requireRefused("has no *.jpg", empty.toString());
    run("--data=" + images.root(), "--images=0").requireRefused("--images");
  }
}
