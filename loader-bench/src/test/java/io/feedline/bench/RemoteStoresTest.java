package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RemoteStoresTest {
  private static final int IMAGES = 20;

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(IMAGES, 48, 32);
  }

  private static Run run(String... more) {
    String[] args =
        Stream.concat(
                List.of(
                    "--data",
                    images.root().toString(),
                    "--batch-size=5",
                    "--rounds=2",
                    "--server=--latency=5",
                    "--server=--tail=5")
                    .stream(),
                Arrays.stream(more))
            .toArray(String[]::new);
    return Run.of(new RemoteStores().commandLine(), args);
  }

  private static double figure(String line, String key) {
    Matcher found = Pattern.compile('"' + key + "\":([0-9.]+)").matcher(line);
    assertThat(found.find()).as("%s in %s", key, line).isTrue();
    return Double.parseDouble(found.group(1));
  }

  @Test
  void shouldReadWhatIsInABucketInTurnsWithTheSameFiles() {
    Run run = run("--warm-up=1");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out();
    assertThat(lines).hasSize(3);
    for (String line : lines) {
      assertThat(figure(line, "images")).isEqualTo(IMAGES);
      assertThat(figure(line, "requests")).isBetween(1.0 * IMAGES, 1.05 * IMAGES);
      assertThat(figure(line, "remote_megabytes")).isPositive();
      assertThat(figure(line, "ratio")).isPositive();
    }
    assertThat(lines.get(0)).contains("\"warm_up\":true");
    assertThat(lines.get(1)).contains("\"warm_up\":false");
  }

  @Test
  void shouldAskForNothingThatALargeCacheHas() {
    Run run = run("--cache-percent=0,1000");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out();
    assertThat(lines).hasSize(3 * 2 * 2);
    for (String line : lines) {
      boolean cached = figure(line, "cache_percent") > 0 && figure(line, "epoch") > 0;
      assertThat(figure(line, "requests")).as(line).isEqualTo(cached ? 0 : IMAGES);
    }
  }

  @Test
  void shouldRefuseWhatIsNotLocal() {
    Run.of(new RemoteStores().commandLine(), "--data", "nowhere")
        .requireRefused("--data must be a local directory", "nowhere");
  }
}
