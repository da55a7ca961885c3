package io.feedline.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.micrometer.LoaderMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API, a record that was written and read, Micrometer and the flight recorder count alike. */
@Tag("once")
@Timeout(60)
class OneRecordTest {

  private static final int SAMPLES = 100;

  @TempDir private Path temp;

  private static DataLoader<Long> loader() {
    Dataset<Long> dataset =
        Dataset.of(
            SAMPLES,
            index -> {
              if (index % 50 == 7) {
                throw new IllegalStateException("broken");
              }
              return index;
            });
    return DataLoader.builder(dataset)
        .name("counted")
        .batchSize(8)
        .numWorkers(2)
        .errorPolicy(ErrorPolicy.skip())
        .stallThreshold(Duration.ofNanos(1))
        .build();
  }

  private List<RecordedEvent> run(DataLoader<Long> loader) throws Exception {
    Path file = temp.resolve("run.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.feedline.Batch").withoutThreshold();
      recording.enable("io.feedline.Stall").withoutThreshold();
      recording.start();
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          batch.close();
        }
      }
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getString("loader").equals("counted"))
        .toList();
  }

  private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.feedline." + name))
        .toList();
  }

  @Test
  void shouldCountTheSameEverywhere() throws Exception {
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> loader = loader()) {
      List<RecordedEvent> events = run(loader);
      LoaderStats stats = loader.stats();
      RunRecord record = RunRecord.ofJson(loader.runRecord().toJson());
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      try (LoaderMetrics metrics = LoaderMetrics.of(loader)) {
        metrics.bindTo(registry);

        assertThat(stats.samples()).isEqualTo(2 * (SAMPLES - 2));
        assertThat(stats.tolerated()).isEqualTo(4);
        assertThat(log.text()).isNotEmpty();
        assertThat(record.total().batches()).isEqualTo(stats.batches());
        assertThat(record.total().samples()).isEqualTo(stats.samples());
        assertThat(record.total().tolerated()).isEqualTo(stats.tolerated());
        assertThat(record.total().waits().count()).isEqualTo(stats.total().waits().count());
        assertThat(record.total().waits().total()).isEqualTo(stats.waited());
        assertThat(record.total().stages())
            .extracting(EpochStats.Stage::elapsed)
            .isEqualTo(stats.total().stages().stream().map(EpochStats.Stage::elapsed).toList());
        assertThat(record.epochs())
            .extracting(EpochStats::samples)
            .isEqualTo(stats.epochs().stream().map(EpochStats::samples).toList());

        assertThat(registry.get("feedline.batches").functionCounter().count())
            .isEqualTo((double) stats.batches());
        assertThat(registry.get("feedline.samples").functionCounter().count())
            .isEqualTo((double) stats.samples());
        assertThat(named(events, "Batch")).hasSize((int) stats.batches());
        assertThat(named(events, "Batch").stream().mapToInt(each -> each.getInt("samples")).sum())
            .isEqualTo(stats.samples());

        assertThat(stats.stalls().total().count()).isPositive();
        for (Stalls.Cause cause : Stalls.Cause.values()) {
          long count = stats.stalls().of(cause).count();
          assertThat(record.total().stalls().of(cause)).isEqualTo(stats.stalls().of(cause));
          assertThat(
                  registry
                      .get("feedline.stalls")
                      .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                      .functionTimer()
                      .count())
              .isEqualTo((double) count);
          assertThat(named(events, "Stall"))
              .filteredOn(each -> each.getString("cause").equals(cause.toString()))
              .hasSize((int) count);
        }
      }
    }
  }
}
