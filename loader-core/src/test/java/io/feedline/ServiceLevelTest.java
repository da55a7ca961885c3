package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.stats.ServiceLevel;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceLevelTest {

  private static final ServiceLevel LEVEL = ServiceLevel.of(4, Duration.ofMillis(20));

  private final FakeClock clock = new FakeClock();

  private DataLoader<Long> loader(int batches, int slowEvery) {
    Dataset<Long> dataset =
        Samples.numbers(4L * batches, index -> clock.passMicros(1000))
            .map(
                "resize",
                Samples.after(
                    index -> {
                      long batch = index / 4;
                      clock.passMicros(batch > 0 && batch % slowEvery == 0 ? 12_000 : 2000);
                    }));
    return Samples.loader(dataset, 4, 0).stallThreshold(Duration.ofMillis(20)).clock(clock).build();
  }

  private static ServiceLevel.Report consumed(DataLoader<Long> loader) {
    loader.forEach(Batch::close);
    return loader.serviceLevel(LEVEL);
  }

  @Test
  void shouldTellThatBatchesCameInTime() {
    try (DataLoader<Long> loader = loader(201, 100)) {
      ServiceLevel.Report report = consumed(loader);
      assertThat(report.batches()).as("all but the first").isEqualTo(200);
      assertThat(report.inTime()).isEqualTo(198);
      assertThat(report.kept()).as("99 in 100 are enough").isTrue();
      assertThat(report.toString())
          .startsWith("99.0% of 200 batches of 4 came within 20 ms, as 99% should: resize had ");
    }
    try (DataLoader<Long> loader = loader(201, 4)) {
      ServiceLevel.Report report = consumed(loader);
      assertThat(report.kept()).isFalse();
      assertThat(report.toString())
          .startsWith("75.0% of 200 batches of 4 came within 20 ms, and not 99%: resize had ");
      assertThat(loader.serviceLevel(ServiceLevel.of(4, Duration.ofMillis(10))).toString())
          .startsWith("0.0% of 200 batches of 4 came within 10 ms, and not 99%: ");
    }
  }

  /** However long the consumer works on a batch: a batch that is ready when it comes is in time. */
  @Test
  void shouldCountWhatIsThereAsInTime() {
    Dataset<Long> dataset = Dataset.of(40, index -> index);
    try (DataLoader<Long> loader = Samples.loader(dataset, 4, 1).clock(clock).build()) {
      BatchIterator epoch = loader.iterator();
      epoch.next().close();
      for (int i = 0; i < 9; i++) {
        StallHarness.awaitIdleWorkers(loader);
        clock.pass(Duration.ofSeconds(1));
        epoch.next().close();
      }
      ServiceLevel.Report report = loader.serviceLevel(LEVEL);
      assertThat(report.inTime()).isEqualTo(report.batches()).isEqualTo(9);
      assertThat(report.toString())
          .startsWith("100.0% of 9 batches of 4 came within 20 ms, as 99% should: ")
          .endsWith(" of 9 s for it");
    }
  }

  @Test
  void shouldNotJudgeBeforeTheSecondBatch() {
    try (DataLoader<Long> loader = loader(3, 100)) {
      assertThat(loader.serviceLevel(LEVEL).kept()).isFalse();
      loader.iterator().next().close();
      assertThat(loader.serviceLevel(LEVEL))
          .hasToString("no batch has been counted yet; the first of an iteration never is");
    }
  }

  @Test
  void shouldRefuseWhatIsNoDemand() {
    assertThat(LEVEL.samplesPerSecond()).isEqualTo(200);
    Duration step = Duration.ofMillis(1);
    Refusals.assertRefused(() -> ServiceLevel.of(0, step), "batchSize must be 1 or more, was 0");
    Refusals.assertRefused(
        () -> ServiceLevel.of(1, Duration.ZERO), "stepTime must be more than zero, was 0 s");
    try (DataLoader<Long> loader = loader(3, 100)) {
      Refusals.assertRefused(
          () -> loader.serviceLevel(ServiceLevel.of(8, step)), "batches of 8", "batchSize(4)");
    }
  }
}
