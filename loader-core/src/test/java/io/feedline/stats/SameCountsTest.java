package io.feedline.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.internal.Json;
import io.feedline.internal.ReadMeter;
import io.feedline.micrometer.LoaderMetrics;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statistics, the record that {@code feedline report} reads, meters and a flight recording of the
 * same run: samples that are skipped, a batch that fails, an epoch that is left.
 */
@Timeout(60)
class SameCountsTest {

  private static final int SKIPPED = 5;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir Path directory;

  private static DataLoader<Long> loader(int workers) {
    Dataset<Long> dataset =
        Dataset.of(
            100,
            index -> {
              if (index % 20 == 7 || index > 97) {
                throw new UncheckedIOException(new IOException("broken " + index));
              }
              ReadMeter.add(5);
              return index;
            });
    return DataLoader.builder(dataset)
        .batchSize(10)
        .numWorkers(workers)
        .errorPolicy(ErrorPolicy.skip().atMost(SKIPPED))
        .stallThreshold(Duration.ofNanos(1))
        .name("counted" + workers)
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldBeEqualInStatisticsRecordMetersAndRecording(int workers) throws IOException {
    Path file = directory.resolve("run.jfr");
    LoaderStats.Epoch stats;
    LoaderStats.Epoch recorded;
    try (Recording recording = new Recording();
        DataLoader<Long> loader = loader(workers)) {
      recording.start();
      BatchIterator left = loader.iterator();
      left.next().close();
      left.close();
      assertThatThrownBy(() -> loader.forEach(Batch::close)).isInstanceOf(LoaderException.class);
      LoaderMetrics.of(loader).bindTo(registry);
      stats = loader.stats().total();
      RunRecord record = RunRecord.ofJson(loader.runRecord().toJson());
      recorded = record.total();
      assertThat(record.epochs())
          .extracting(LoaderStats.Epoch::samples)
          .isEqualTo(loader.stats().epochs().stream().map(LoaderStats.Epoch::samples).toList());
      recording.stop();
      recording.dump(file);
      assertMeters(stats);
    }
    assertThat(stats.failures()).isEqualTo(1);
    assertThat(stats.tolerated()).isEqualTo(SKIPPED);
    assertThat(stats.stalls().total().count()).isPositive();
    assertThat(counts(recorded)).isEqualTo(Json.read(Json.write(counts(stats))));
    assertThat(recorded.stalls().byCause()).isEqualTo(stats.stalls().byCause());
    assertEvents(
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith("io.feedline."))
            .filter(event -> event.getString("loader").equals("counted" + workers))
            .toList(),
        stats);
  }

  private static Map<String, Object> counts(LoaderStats.Epoch stats) {
    Map<String, Object> figures = new LinkedHashMap<>(stats.figures());
    figures.remove("workers_waited_for_room_seconds");
    figures.remove("workers_waited_for_epoch_seconds");
    return figures;
  }

  private void assertMeters(LoaderStats.Epoch stats) {
    assertThat(counted("feedline.batches")).isEqualTo(stats.batches());
    assertThat(counted("feedline.samples")).isEqualTo(stats.samples());
    assertThat(counted("feedline.batches.failed")).isEqualTo(stats.failures());
    assertThat(counted("feedline.samples.tolerated")).isEqualTo(stats.tolerated());
    assertThat(counted("feedline.read")).isEqualTo(stats.bytesRead());
    FunctionTimer waits = registry.get("feedline.waits").functionTimer();
    assertThat(Math.round(waits.count())).isEqualTo(stats.waits().count());
    assertThat(waits.totalTime(TimeUnit.NANOSECONDS))
        .isCloseTo((double) stats.waits().total().toNanos(), within(1.0));
    stats
        .stalls()
        .byCause()
        .forEach(
            (cause, sum) ->
                assertThat(
                        Math.round(
                            registry
                                .get("feedline.stalls")
                                .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                                .functionTimer()
                                .count()))
                    .as(cause.toString())
                    .isEqualTo(sum.count()));
  }

  private long counted(String meter) {
    return Math.round(registry.get(meter).functionCounter().count());
  }

  private static void assertEvents(List<RecordedEvent> events, LoaderStats.Epoch stats) {
    List<RecordedEvent> batches = of(events, "Batch");
    assertThat(batches).hasSize((int) stats.waits().count());
    assertThat(batches).filteredOn(each -> each.getBoolean("failed")).hasSize(1);
    assertThat(batches).noneMatch(each -> each.getStackTrace() != null);
    assertThat(batches.stream().mapToLong(each -> each.getInt("samples")).sum())
        .isEqualTo(stats.samples());
    assertThat(batches.stream().mapToLong(each -> each.getLong("bytesRead")).sum())
        .isEqualTo(stats.bytesRead());
    assertThat(batches.stream().mapToLong(each -> each.getDuration("waited").toNanos()).sum())
        .isEqualTo(stats.waits().total().toNanos());
    stats
        .stalls()
        .byCause()
        .forEach(
            (cause, sum) ->
                assertThat(of(events, "Stall"))
                    .filteredOn(each -> each.getString("cause").equals(cause.toString()))
                    .hasSize((int) sum.count()));
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.feedline." + type))
        .toList();
  }
}
