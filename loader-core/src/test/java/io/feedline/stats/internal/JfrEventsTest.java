package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.Samples;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.Stalls.Stall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JfrEventsTest {

  private static final int SLOW = 7;
  private static final Duration SLOWNESS = Duration.ofMillis(60);

  @TempDir Path directory;

  private static DataLoaderBuilder<Long> loader(Dataset<Long> dataset, String name) {
    return DataLoader.builder(dataset)
        .batchSize(4)
        .numWorkers(1)
        .prefetchNextEpoch(false)
        .name(name);
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(10, index -> index);
  }

  private static Long slowly(Long index) {
    try {
      TimeUnit.NANOSECONDS.sleep(index == SLOW ? SLOWNESS.toNanos() : 1_000_000);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return index;
  }

  private List<RecordedEvent> record(String loader, Consumer<Recording> settings, Runnable recorded)
      throws IOException {
    Path file = directory.resolve(loader + ".jfr");
    try (Recording recording = new Recording()) {
      settings.accept(recording);
      recording.start();
      recorded.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("io.feedline."))
        .filter(event -> loader.equals(event.getString("loader")))
        .toList();
  }

  private List<RecordedEvent> record(String loader, Runnable recorded) throws IOException {
    return record(loader, recording -> {}, recorded);
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals("io.feedline." + type))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldRecordStallsAsStatisticsTellThem(int workers) throws IOException {
    List<Stall> stalls = new ArrayList<>();
    List<RecordedEvent> events =
        record(
            "stalls",
            () -> {
              try (DataLoader<Long> loader =
                  loader(numbers().map("resize", JfrEventsTest::slowly), "stalls")
                      .numWorkers(workers)
                      .stallThreshold(Duration.ofMillis(20))
                      .build()) {
                loader.forEach(Batch::close);
                stalls.addAll(loader.stats().stalls().recent());
              }
            });

    List<RecordedEvent> recorded = of(events, "Stall");
    assertThat(stalls).isNotEmpty();
    assertThat(recorded).hasSameSizeAs(stalls);
    for (int i = 0; i < stalls.size(); i++) {
      RecordedEvent event = recorded.get(i);
      Stall stall = stalls.get(i);
      assertThat(event.getString("cause")).isEqualTo(stall.cause().toString());
      assertThat(event.getString("stage")).isEqualTo(stall.stage());
      assertThat(event.getString("detail")).isEqualTo(stall.detail());
      assertThat(event.getLong("epoch")).isEqualTo(stall.epoch());
      assertThat(event.getLong("batch")).isEqualTo(stall.batch());
      assertThat(event.getLong("index")).isEqualTo(stall.index().orElse(-1));
      assertThat(event.getDuration("waited")).isEqualTo(stall.waited());
      assertThat(event.getDuration()).isGreaterThanOrEqualTo(Duration.ofMillis(19));
    }
  }

  @Test
  void shouldRecordSamplesAboveTheThresholdWithStageAndDescription() throws IOException {
    Dataset<Long> slow = Samples.described(numbers(), index -> "train/" + index + ".jpg");
    List<RecordedEvent> events =
        record(
            "samples",
            recording ->
                recording.enable("io.feedline.Sample").withThreshold(SLOWNESS.dividedBy(2)),
            () -> {
              try (DataLoader<Long> loader =
                  loader(slow.map("resize", JfrEventsTest::slowly), "samples").build()) {
                loader.forEach(Batch::close);
              }
            });

    assertThat(of(events, "Sample"))
        .filteredOn(event -> event.getLong("index") == SLOW)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getString("description")).isEqualTo("train/7.jpg");
              assertThat(event.getString("stage")).isEqualTo("resize");
              assertThat(event.getLong("batch")).isEqualTo(1);
              assertThat(event.getLong("epoch")).isZero();
              assertThat(event.getDuration("inStage")).isGreaterThanOrEqualTo(SLOWNESS);
              assertThat(event.getDuration())
                  .isGreaterThanOrEqualTo(event.getDuration("inStage").minusMillis(1));
              assertThat(event.getThread().getJavaName()).isEqualTo("feedline-samples-0");
            });
  }

  @Test
  void shouldRecordEpochsToTheirEndOrToWhereTheyWereLeft() throws IOException {
    List<LoaderStats.Epoch> stats = new ArrayList<>();
    List<RecordedEvent> events =
        record(
            "epochs",
            () -> {
              try (DataLoader<Long> loader = loader(numbers(), "epochs").build()) {
                loader.forEach(Batch::close);
                loader.iterator().next().close();
                loader.forEach(Batch::close);
                loader.iterator().next().close();
                stats.addAll(loader.stats().epochs());
              }
            });

    List<RecordedEvent> epochs = of(events, "Epoch");
    assertThat(epochs)
        .extracting(
            event ->
                "%d: %d in %d"
                    .formatted(
                        event.getLong("epoch"), event.getLong("samples"), event.getLong("batches")))
        .containsExactly("0: 10 in 3", "1: 4 in 1", "2: 10 in 3", "3: 4 in 1");
    for (int i = 0; i < stats.size(); i++) {
      double nanos = stats.get(i).elapsed().toNanos();
      assertThat(epochs.get(i).getDouble("samplesPerSecond"))
          .isEqualTo(stats.get(i).samples() * 1e9 / nanos);
      assertThat(epochs.get(i).getDouble("waited"))
          .isEqualTo(stats.get(i).waits().total().toNanos() / nanos);
    }
  }

  @Test
  void shouldRecordTheEndOfAStreamWhoseLengthIsNotKnown() throws IOException {
    IterableDataset<Long> stream =
        (shard, epoch) -> SampleStream.of(Stream.of(1L, 2L, 3L).iterator());
    try (DataLoader<Long> loader =
        DataLoader.builder(stream).batchSize(2).numWorkers(2).name("stream").build()) {
      List<RecordedEvent> events =
          record(
              "stream",
              () -> {
                loader.forEach(Batch::close);
                loader.forEach(Batch::close);
              });
      assertThat(of(events, "Epoch"))
          .extracting(event -> event.getLong("epoch") + ": " + event.getLong("samples"))
          .containsExactly("0: 3", "1: 3");
    }
  }

  @Test
  void shouldRecordOnlyWhatIsEnabledAndOnlyWhileItIs() throws IOException {
    try (DataLoader<Long> loader = loader(numbers(), "some").build()) {
      loader.forEach(Batch::close);
      List<RecordedEvent> events =
          record(
              "some",
              recording -> recording.disable("io.feedline.Batch"),
              () -> loader.forEach(Batch::close));
      assertThat(of(events, "Batch")).isEmpty();
      assertThat(of(events, "Epoch"))
          .extracting(event -> event.getLong("epoch"))
          .containsExactly(1L);
      loader.forEach(Batch::close);
      assertThat(of(record("some", () -> loader.forEach(Batch::close)), "Batch"))
          .extracting(event -> event.getLong("epoch"))
          .containsExactly(3L, 3L, 3L);
    }
  }

  @Test
  void shouldGiveToolsNamesUnitsAndOneCategory() {
    try (DataLoader<Long> loader = loader(numbers(), "named").build()) {
      loader.forEach(Batch::close);
    }
    List<EventType> types =
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .filter(type -> type.getName().startsWith("io.feedline."))
            .toList();
    assertThat(types)
        .extracting(EventType::getName)
        .as("of all class loaders that tests have made")
        .containsOnly(
            "io.feedline.Batch",
            "io.feedline.Stall",
            "io.feedline.Sample",
            "io.feedline.Epoch",
            "io.feedline.Work");
    for (EventType type : types) {
      assertThat(type.getCategoryNames()).containsExactly("Feedline");
      assertThat(type.getDescription()).isNotBlank();
      assertThat(type.getField("loader").getLabel()).isEqualTo("Loader");
      assertThat(type.getFields()).allMatch(field -> field.getLabel() != null);
      assertThat(type.isEnabled()).isFalse();
    }
    assertThat(
            types.stream()
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getName().matches("waited|inStage|took"))
                .filter(field -> field.getTypeName().equals("long")))
        .hasSizeGreaterThanOrEqualTo(3)
        .allMatch(field -> field.getAnnotation(Timespan.class) != null);
  }
}
