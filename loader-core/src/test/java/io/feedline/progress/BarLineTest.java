package io.feedline.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.progress.Progress.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of a progress bar on terminals of several widths. */
class BarLineTest {

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("loss 2.3010", "loss 2.301", "loss 2.30"),
          new Figure("Prec@1 12.50%", "Prec@1 12.5%", "12.5%"),
          new Figure("153.2 images/s", "153.2/s", "153/s"),
          new Figure("waiting 3.1%", "wait 3%", "w3%"));

  private static String line(int step, int steps, int width) {
    Duration elapsed = Duration.ofSeconds(13);
    Duration left = step == 0 ? null : elapsed.multipliedBy(steps - step).dividedBy(step);
    return new BarLine("Epoch: [0]", step, steps, elapsed, left, FIGURES).fit(width);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "120|Epoch: [0]  50% [=============              ] 3/6  0:13 < 0:13  loss 2.3010  Prec@1 12.50%  153.2 images/s  waiting 3.1%",
        "100|Epoch: [0]  50% [==========           ] 3/6  0:13 < 0:13  loss 2.301  Prec@1 12.5%  153.2/s  wait 3%",
        "96|Epoch: [0]  50% [========         ] 3/6  0:13 < 0:13  loss 2.301  Prec@1 12.5%  153.2/s  wait 3%",
        "80|Epoch: [0]  50% [=======       ] 3/6  loss 2.301  Prec@1 12.5%  153.2/s  wait 3%",
        "64|Epoch: [0]  50% 3/6  loss 2.301  Prec@1 12.5%  153.2/s  wait 3%  ",
        "40|[0] 3/6 loss 2.30 12.5% 153/s w3%       ",
        "30|loss 2.30 12.5% 153/s w3%     ",
        "20|loss 2.30 12.5% 153/",
      })
  void shouldFitTheTerminal(int width, String expected) {
    assertThat(line(3, 6, width).stripTrailing()).hasSizeLessThanOrEqualTo(width);
    assertThat(line(3, 6, width)).hasSize(width).startsWith(expected.stripTrailing());
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 120})
  void shouldKeepAllFiguresInViewOfALongEpochToo(int width) {
    for (int step : new int[] {0, 1, 4999, 5005}) {
      String line = line(step, 5005, width);
      assertThat(line).hasSize(width).contains("loss 2.3", "12.5", "153", "3");
      assertThat(line).containsPattern("(waiting 3.1%|wait 3%|w3%) *$");
    }
  }

  @Test
  void shouldTellTheTimeThatIsLeftOnceAStepIsDone() {
    assertThat(line(0, 6, 120)).contains("  0% [    ", "0/6  0:13 <    ?  loss");
    assertThat(line(2, 6, 120)).contains(" 33% [==", "2/6  0:13 < 0:26  loss");
    assertThat(line(6, 6, 120)).contains("100% [====", "=] 6/6  0:13 < 0:00  loss");
    BarLine longOne =
        new BarLine(
            "Epoch: [0]", 1, 1000, Duration.ofSeconds(61), Duration.ofSeconds(60939), FIGURES);
    assertThat(longOne.fit(140)).contains("1:01 < 16:55:39");
    BarLine empty = new BarLine("Test: ", 0, 0, Duration.ZERO, null, FIGURES);
    assertThat(empty.fit(120)).contains("100%", "0/0  0:00 <    ?");
  }

  @Test
  void shouldShowWhatIsWaitedForInPlaceOfFigures() {
    String words = "loading the first batch";
    BarLine line =
        new BarLine("Epoch: [0]", 0, 6, Duration.ofSeconds(2), null, List.of(Figure.of(words)));
    assertThat(line.fit(80)).contains("0/6  0:02 <    ?  loading the first batch");
    assertThat(line.fit(40)).startsWith("[0] 0/6 loading the first batch");
  }

  @Test
  void shouldKeepTheWidthOfItsBarWhileNumbersGrow() {
    List<String> bars = new ArrayList<>();
    for (int step : new int[] {22, 99, 100, 101, 999, 1000}) {
      String bar = line(step, 1000, 120).replaceAll("[^\\[]*\\[0\\][^\\[]*|\\].*", "");
      bars.add(bar.replace('=', ' '));
    }
    assertThat(bars).hasSize(6).containsOnly(bars.get(0));
    assertThat(bars.get(0)).hasSizeGreaterThan(8);
  }

  @Test
  void shouldShowNoBarWhereTheEndIsNotKnown() {
    BarLine line = new BarLine("epoch 1", 57, -1, Duration.ofSeconds(13), null, FIGURES);
    assertThat(line.fit(120).strip())
        .isEqualTo("epoch 1 57  0:13  loss 2.3010  Prec@1 12.50%  153.2 images/s  waiting 3.1%");
    assertThat(line.fit(60).strip())
        .isEqualTo("epoch 1 57  loss 2.301  Prec@1 12.5%  153.2/s  wait 3%");
    assertThat(line.fit(40).strip()).isEqualTo("epoch 1 57 loss 2.30 12.5% 153/s w3%");
  }

  @Test
  void shouldBeALineOfALog() {
    assertThat(
            new BarLine("verify", 3, 6, Duration.ofSeconds(13), Duration.ofSeconds(13), FIGURES)
                .inWords())
        .isEqualTo(
            "verify  50% 3/6  0:13 < 0:13  loss 2.3010  Prec@1 12.50%  153.2 images/s  waiting 3.1%");
  }
}
