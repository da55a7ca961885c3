package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code peers/train_step.py} for a moment, and holds that it is the same benchmark. */
@RequiresTorch
@Tag("once")
class TrainStepPeerTest {
  private static final Pattern KEY = Pattern.compile("\"([a-z0-9_]+)\":");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+\\.[0-9]+");

  private static final List<String> TINY =
      List.of(
          "--device=cpu",
          "--model=resnet18",
          "--image-size=32",
          "--batch-size=2",
          "--pictures=5",
          "--workers=1",
          "--steps=1",
          "--rounds=2",
          "--warm-up=0",
          "--asks=2");

  @TempDir private Path scratch;

  private Run peer(List<String> options) throws IOException, InterruptedException {
    return python("peers/train_step.py", options);
  }

  private Run python(String script, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    all.add(script);
    all.addAll(arguments);
    return Run.of(Python.process(RequiresTorch.Condition.python(), all), scratch);
  }

  private static List<String> keys(String line) {
    return KEY.matcher(line.replace("\": ", "\":")).results().map(key -> key.group(1)).toList();
  }

  /** And that line is what the table of the GPU kit is made of. */
  @Test
  void shouldPrintTheSameLine() throws Exception {
    Run peer = peer(TINY);
    assertThat(peer.exitCode()).as(peer.err()).isZero();
    assertThat(peer.out()).hasSize(1);
    StringWriter ours = new StringWriter();
    int exitCode =
        new TrainStep()
            .commandLine()
            .setOut(new PrintWriter(ours, true))
            .setErr(new PrintWriter(new StringWriter(), true))
            .execute(TINY.toArray(String[]::new));
    assertThat(exitCode).isZero();
    assertThat(keys(peer.out().get(0))).containsExactlyElementsOf(keys(ours.toString()));

    Files.writeString(scratch.resolve("steps.jsonl"), ours + peer.out().get(0) + "\n");
    Run table = python("results/gpu_table.py", List.of(scratch.toString()));
    assertThat(table.exitCode()).as(table.err()).isZero();
    assertThat(String.join("\n", table.out()))
        .contains("| resnet18 | noise | feedline: none | ", "| resnet18 | noise | torch: none | ")
        .containsPattern("(met|missed)[*:]+ resnet18, noise, none: .*bound by .* loader");
  }

  @Test
  void shouldTrainOnBytesThatAreNormalizedOnTheDevice() throws Exception {
    List<String> options = new ArrayList<>(TINY);
    options.add("--normalize-on-device");
    options.add("--workers=0");
    Run peer = peer(options);
    assertThat(peer.exitCode()).as(peer.err()).isZero();
    assertThat(peer.out().get(0)).contains("\"normalize_on_device\": true");
  }

  /** {@link ResidualNetworkTest} holds ours to the same losses. */
  @Test
  void shouldTrainTheNetworksThatTrainStepTrains() throws Exception {
    Run peer = peer(List.of("--check"));
    assertThat(peer.exitCode()).as(peer.err()).isZero();
    assertThat(peer.out()).hasSize(2);
    assertThat(peer.out().get(0)).contains("\"resnet18\", \"parameters\": 11689512");
    assertThat(peer.out().get(1)).contains("\"resnet50\", \"parameters\": 25557032");
    List<Double> losses = numbers(peer.out().get(0));
    assertThat(losses).hasSize(3);
    assertThat(losses.get(0)).isCloseTo(3.173802, withinPercentage(0.01));
    assertThat(losses.get(1)).isCloseTo(0.046207, withinPercentage(0.1));
    assertThat(losses.get(2)).isCloseTo(0.0099588, withinPercentage(0.1));
    assertThat(numbers(peer.out().get(1)).get(0)).isCloseTo(2.38998, withinPercentage(0.1));
  }

  private static List<Double> numbers(String line) {
    return NUMBER.matcher(line).results().map(MatchResult::group).map(Double::valueOf).toList();
  }

  @Test
  void shouldRefuseWhatNeedsAGpu() throws Exception {
    Run peer = peer(List.of("--device=cpu", "--copies"));
    assertThat(peer.exitCode()).isEqualTo(2);
    assertThat(peer.err()).contains("--copies needs --device gpu");
  }
}
