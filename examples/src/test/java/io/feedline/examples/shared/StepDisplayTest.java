package io.feedline.examples.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The output of a program without a terminal, with a clock that stands still. */
class StepDisplayTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private long nanos = TimeUnit.HOURS.toNanos(5);
  private final Narrator narrator = new Narrator(new PrintWriter(err, true), () -> nanos);

  private StepDisplay display(String task, long steps, int frequency) {
    return new StepDisplay(
        new PrintWriter(out, true), narrator, task, steps, "images", frequency, false, () -> nanos);
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private List<String> lines() {
    return out.toString().lines().toList();
  }

  @Test
  void shouldPrintALineEveryFewSteps() {
    Meter loss = new Meter("Loss", "%.4f");
    try (StepDisplay display = display("Epoch: [2]", 8, 3)) {
      for (int step = 0; step < 8; step++) {
        loss.add(step, 1);
        display.step(step, List.of(), loss, "more");
      }
    }
    assertThat(lines())
        .containsExactly(
            "Epoch: [2][0/8]  Loss 0.0000 (0.0000)  more",
            "Epoch: [2][3/8]  Loss 3.0000 (1.5000)  more",
            "Epoch: [2][6/8]  Loss 6.0000 (3.0000)  more",
            "Epoch: [2][7/8]  Loss 7.0000 (3.5000)  more");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void shouldPrintALineWhereStepsAreSlow() {
    try (StepDisplay display = display("Test: ", 100, 50)) {
      for (int step = 0; step < 12; step++) {
        pass(2_400);
        display.step(step, List.of(), "x");
      }
    }
    // A line is due 10 s after the last one, so with every fifth step here.
    assertThat(lines())
        .containsExactly("Test: [0/100]  x", "Test: [5/100]  x", "Test: [10/100]  x");
  }

  @Test
  void shouldSayWhatTheFirstStepWaitsFor() {
    try (StepDisplay display = display("Epoch: [0]", 2, 1)) {
      display.stage("loading the first batch");
      pass(1_900);
      narrator.tick();
      pass(300);
      narrator.tick();
      display.stage("training on the first batch");
      display.step(0, List.of(), "x");
      pass(60_000);
      narrator.tick();
    }
    assertThat(err.toString().lines())
        .containsExactly(
            "[   0.0 s] loading the first batch",
            "[   2.2 s] still loading the first batch",
            "[   2.2 s] training on the first batch");
  }

  @Test
  void shouldNarrateANewsOnceAndWhatTakesLongEachTime() {
    int[] made = {0};
    narrator.begin("making images", () -> ": %d are made".formatted(made[0]));
    for (int tenth = 0; tenth < 50; tenth++) {
      pass(100);
      made[0] += 3;
      narrator.tick();
    }
    narrator.end("50 images in 10 classes");
    pass(30_000);
    narrator.tick();
    narrator.begin("making images");
    narrator.end();
    narrator.begin("making images");
    pass(2_000);
    narrator.tick();
    narrator.close();
    pass(2_000);
    narrator.tick();
    assertThat(err.toString().lines())
        .containsExactly(
            "[   0.0 s] making images",
            "[   2.0 s] still making images: 60 are made",
            "[   4.0 s] still making images: 120 are made",
            "[   5.0 s] 50 images in 10 classes",
            "[  37.0 s] still making images");
  }
}
