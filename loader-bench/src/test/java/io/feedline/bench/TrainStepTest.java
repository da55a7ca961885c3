package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.DeviceStats;
import io.feedline.stats.Stalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class TrainStepTest {
  private static final Pattern KEY = Pattern.compile("\"([a-z0-9_]+)\":");

  private static final String[] TINY = {
    "--device=cpu",
    "--model=resnet18",
    "--image-size=32",
    "--batch-size=2",
    "--pictures=5",
    "--steps=1",
    "--rounds=2",
    "--warm-up=1",
    "--asks=2"
  };

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(6, 48, 40);
  }

  private static Run run(String... args) {
    return Run.of(new TrainStep().commandLine().setOverwrittenOptionsAllowed(true), args);
  }

  private static Run tiny(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(TINY));
    all.addAll(Arrays.asList(args));
    return run(all.toArray(String[]::new));
  }

  private static double figure(Run run, String key) {
    assertThat(run.out()).hasSize(1);
    MatchResult field =
        Pattern.compile("\"" + key + "\":([-0-9.]+)")
            .matcher(run.out().get(0))
            .results()
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(field.group(1));
  }

  @ParameterizedTest
  @CsvSource({"0", "2"})
  void shouldMeasureBothKindsOfSteps(String workers) {
    Run run = tiny("--workers=" + workers);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(figure(run, "step_ms")).isPositive();
    assertThat(figure(run, "synthetic_step_ms")).isPositive();
    assertThat(figure(run, "ratio")).isPositive();
    assertThat(figure(run, "images_per_second")).isPositive();
    assertThat(figure(run, "ready_p99_us")).isGreaterThanOrEqualTo(figure(run, "ready_p50_us"));
    assertThat(figure(run, "loss")).isPositive();
    assertThat(figure(run, "rounds")).isEqualTo(2);
    assertThat(run.out().get(0))
        .contains("\"data\":\"noise\"", "\"transfer\":\"view\"", "\"fallback\":null")
        .contains("\"gpu_busy_percent\":null", "\"busy_unknown\":\"trained on the CPU\"");
    assertThat(run.err()).contains("GPU busy: not known: trained on the CPU");
    assertThat(run.err()).contains("resnet18 on ", "2 rounds of 1 steps", "| ms a step: loader |");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTrainOnImages(boolean onDevice) {
    Run run = tiny("--data=" + images.root(), "--workers=1", "--normalize-on-device=" + onDevice);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(figure(run, "ratio")).isPositive();
    assertThat(run.out().get(0))
        .contains(images.root().toString(), "\"normalize_on_device\":" + onDevice);
  }

  @ParameterizedTest
  @CsvSource({
    "--batch-size, 1, must be 2 or more",
    "--image-size, 31, must be 32 or more",
    "--pictures, 0, must be 1 or more",
    "--workers, -1, must be 0 or more",
    "--prefetch, 0, must be 1 or more",
    "--prefetch-to-device, 0, must be 1 or more",
    "--pin-memory, true, needs --device gpu",
    "--busy-seconds, -1, must be 0 or more",
    "--busy-seconds, 30, needs --device gpu",
    "--steps, 0, must be 1 or more",
    "--rounds, 0, must be 1 or more",
    "--warm-up, -1, must be 0 or more",
    "--asks, 0, must be 1 or more",
    "--model, vgg, expected one of",
    "--device, tpu, expected one of",
    "--speed, 9, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    tiny(option + "=" + value).requireRefused(option, reason);
  }

  @Test
  void shouldWarnOfBatchesThatDoNotGoThroughACopyingStream() {
    assertThat(TrainStep.fallbackWarning(stats(Optional.of("no libcuda.so.1"))))
        .hasValueSatisfying(
            warning -> assertThat(warning).contains("no copying stream", "; no libcuda.so.1"));
    assertThat(TrainStep.fallbackWarning(stats(Optional.empty()))).isEmpty();
  }

  private static DeviceStats stats(Optional<String> fallback) {
    Map<String, Object> figures = new HashMap<>();
    for (String name : List.of("batches", "bytes", "pinned_bytes")) {
      figures.put(name, 0L);
    }
    for (String name : List.of("copying_seconds", "copy_idle_seconds", "waited_seconds")) {
      figures.put(name, 0);
    }
    figures.put("transfer", "copy");
    figures.put("fallback", fallback.orElse(null));
    return new DeviceStats(figures, new Stalls(Map.of(), List.of()));
  }

  @Test
  void shouldExplainEveryFigure() {
    Run run = run("--help");
    assertThat(run.exitCode()).isZero();
    String help = String.join("\n", run.out());
    assertThat(help).contains("--device", "resnet18, resnet50", "  transfer, memory ");
    StepFigures.Turn turn = new StepFigures.Turn(1, 1, 1);
    StepFigures figures =
        new StepFigures(
            1,
            List.of(new StepFigures.Round(turn, turn)),
            Percentiles.of(1),
            Percentiles.of(1),
            Utilization.unknown("unwatched"),
            1);
    KEY.matcher(figures.addTo(new JsonLine()).toString())
        .results()
        .map(field -> field.group(1).replaceAll("_(min|max)$", ""))
        .map(key -> key.replaceAll("^synthetic_images.*", "synthetic_..."))
        .filter(key -> !key.equals("rounds"))
        .forEach(key -> assertThat(help).contains(key));
  }
}
