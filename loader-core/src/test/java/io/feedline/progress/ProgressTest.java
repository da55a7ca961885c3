package io.feedline.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.Refusals;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
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

  /** Ten samples in batches of four, each of which takes half a second. */
  private DataLoader<Long> loader() {
    Dataset<Long> dataset =
        Dataset.of(
            10,
            index -> {
              pass(500);
              return index;
            });
    return DataLoader.builder(dataset).batchSize(4).numWorkers(0).build();
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
}
