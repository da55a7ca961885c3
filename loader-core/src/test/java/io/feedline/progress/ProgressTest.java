package io.feedline.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.Refusals;
import io.feedline.Samples;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.progress.Progress.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress by a clock that stands still, but for what loading and computing take. */
@Timeout(60)
class ProgressTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final PrintStream to = new PrintStream(shown, true, StandardCharsets.UTF_8);
  private long nanos = 7;

  private long now() {
    return nanos;
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private List<String> lines() {
    return shown.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private Progress.Builder asLines(Progress.Builder builder) {
    return builder.bar(false).to(to).clock(this::now);
  }

  private Progress.Builder task(String name, long steps) {
    return asLines(Progress.builder(name, steps));
  }

  private DataLoader<Long> loader() {
    return DataLoader.builder(Samples.numbers(10, index -> pass(500)))
        .batchSize(4)
        .numWorkers(0)
        .build();
  }

  @Test
  void shouldGiveAllBatchesAndShowRateTimeLeftAndWaiting() {
    List<Long> seen = new ArrayList<>();
    try (DataLoader<Long> loader = loader()) {
      for (Batch batch :
          Progress.of(
              loader,
              display -> asLines(display).unit("images").lineEvery(Duration.ofSeconds(1)))) {
        try (batch) {
          for (long index : batch.indices()) {
            seen.add(index);
          }
          pass(8000);
        }
      }
    }
    assertThat(seen).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(lines())
        .containsExactly(
            "epoch 0  33% 1/3  0:10 < 0:20  0.4 images/s  waiting 20.0%",
            "epoch 0  66% 2/3  0:20 < 0:10  0.4 images/s  waiting 20.0%",
            "epoch 0 100% 3/3  0:29 < 0:00  0.2 images/s  waiting 17.2%");
  }

  @Test
  void shouldShowEachEpochByItselfAndEndOneThatIsLeft() {
    try (DataLoader<Long> loader = loader();
        Progress.Batches progress =
            Progress.of(loader, display -> asLines(display).lineEvery(Duration.ofNanos(1)))) {
      for (Batch batch : progress) {
        batch.close();
        if (batch.number() == 1) {
          break;
        }
      }
      assertThat(lines()).hasSize(1);
      progress.forEach(Batch::close);
    }
    assertThat(lines())
        .extracting(line -> line.substring(0, line.indexOf("  0:")))
        .containsExactly(
            "epoch 0  33% 1/3", "epoch 1  33% 1/3", "epoch 1  66% 2/3", "epoch 1 100% 3/3");
  }

  @Test
  void shouldCountWhereTheEndIsNotKnown() {
    IterableDataset<Long> stream =
        (shard, epoch) -> SampleStream.of(Stream.of(1L, 2L, 3L).iterator());
    try (DataLoader<Long> loader = DataLoader.builder(stream).batchSize(2).numWorkers(0).build()) {
      for (Batch batch :
          Progress.of(loader, display -> asLines(display).lineEvery(Duration.ofSeconds(1)))) {
        batch.close();
        pass(1000);
      }
    }
    assertThat(lines().get(1)).isEqualTo("epoch 0 2  0:02  1.5 samples/s  waiting 0.0%");
  }

  @Test
  void shouldPrintALineNowAndThenAndOneAtTheEnd() {
    try (Progress progress = task("verify", 1000).done(400).unit("images").begin()) {
      for (int step = 0; step < 25; step++) {
        pass(1000);
        progress.step(2);
      }
    }
    assertThat(lines())
        .containsExactly(
            "verify  42% 420/1000  0:10 < 4:50  2.0 images/s",
            "verify  44% 440/1000  0:20 < 4:40  2.0 images/s",
            "verify  45% 450/1000  0:25 < 4:35  2.0 images/s");
  }

  @Test
  void shouldPrintNothingOfWhatIsDoneSoonOrIsToBeQuiet() {
    try (Progress soon = task("soon", 10).begin()) {
      pass(9999);
      soon.step(10);
    }
    try (Progress quiet = task("quiet", 10).lineEvery(Duration.ZERO).begin()) {
      pass(100_000);
      quiet.step(10);
    }
    assertThat(lines()).isEmpty();
    Refusals.assertRefused(
        () -> task("bad", 1).lineEvery(Duration.ofMillis(-1)),
        "lineEvery must not be negative, was PT-0.001S");
  }

  @Test
  void shouldShowAProgramsOwnFiguresFirst() {
    try (Progress progress = task("train", 2).unit("images").begin()) {
      progress.figures(() -> List.of(Figure.of("loss 2.3"), new Figure("wide", "w", "n")));
      pass(10_000);
      progress.waited(TimeUnit.SECONDS.toNanos(1));
      progress.step(1, 50);
    }
    assertThat(lines().get(0))
        .isEqualTo("train  50% 1/2  0:10 < 0:10  loss 2.3  wide  5.0 images/s  waiting 10.0%");
  }

  /** Drawn by the library, for a terminal of unknown width. */
  @Test
  void shouldDrawABar() {
    try (Progress progress =
        Progress.builder("verify", 8).unit("images").bar(true).to(to).begin()) {
      progress.figures(() -> List.of(Figure.of("loss 2.3")));
      progress.step(8);
    }
    String last = shown.toString(StandardCharsets.UTF_8).replaceAll("(?s).*\r(?=.*\\S)", "");
    assertThat(last).startsWith("verify 100% ").contains("8/8", "loss 2.3", "/s");
  }

  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldForgetASlowStart() {
    Pace pace = new Pace(0, 0);
    pace.at(4 * SECOND, 1, 1);
    assertThat(pace.unitsPerSecond(4 * SECOND)).isEqualTo(0.25);
    for (int i = 1; i <= 600; i++) {
      pace.at(4 * SECOND + i * SECOND / 100, 1 + i, 1 + i);
    }
    assertThat(pace.unitsPerSecond(10 * SECOND)).isCloseTo(100, within(0.1));
    assertThat(pace.timeFor(800, 10 * SECOND))
        .isBetween(Duration.ofMillis(7990), Duration.ofMillis(8010));
  }

  @Test
  void shouldSlowDownWhileNothingIsDone() {
    Pace pace = new Pace(0, 0);
    for (int i = 1; i <= 500; i++) {
      pace.at(i * SECOND / 100, i, i);
    }
    assertThat(pace.unitsPerSecond(5 * SECOND)).isEqualTo(100);
    assertThat(pace.unitsPerSecond(10 * SECOND)).isEqualTo(50);
  }

  @Test
  void shouldCountFromTheEndOfAnEarlierRun() {
    Pace pace = new Pace(0, 100);
    assertThat(pace.timeFor(30, SECOND)).isNull();
    pace.at(5 * SECOND, 110, 10);
    assertThat(pace.timeFor(20, 5 * SECOND)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void shouldTakeThePaceOfTheLastStepOfMinutes() {
    Pace pace = new Pace(0, 0);
    pace.at(100 * SECOND, 1, 8);
    pace.at(160 * SECOND, 2, 16);
    pace.at(190 * SECOND, 3, 24);
    assertThat(pace.timeFor(2, 190 * SECOND)).isEqualTo(Duration.ofSeconds(60));
  }

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
