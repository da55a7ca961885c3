package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.internal.RunLog;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The record of a run. With a {@link FakeClock} its times are exact. */
@Timeout(60)
class RunRecordTest {

  private final FakeClock clock = new FakeClock();

  /** A loader whose consumer makes its batches, so that each takes as long as its samples say. */
  private DataLoader<Long> loader(long batches, long... slowSamples) {
    Dataset<Long> dataset =
        Samples.numbers(
            batches * 2,
            index ->
                clock.passMicros(
                    LongStream.of(slowSamples).anyMatch(slow -> slow == index) ? 70_000 : 1000));
    return Samples.loader(dataset, 2, 0).name("train </script> \"é\"").clock(clock).build();
  }

  private void train(DataLoader<?> loader, long workMicros) {
    for (Batch batch : loader) {
      batch.close();
      clock.passMicros(workMicros);
    }
  }

  private static Map<String, Object> read(RunRecord record) {
    return Json.read(record.toJson());
  }

  private static double number(Map<String, Object> json, String name) {
    return ((Number) json.get(name)).doubleValue();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> json, String name) {
    return (Map<String, Object>) json.get(name);
  }

  private static List<Double> numbers(Map<String, Object> json, String object, String name) {
    List<Double> numbers = new ArrayList<>();
    for (Object each : (List<?>) object(json, object).get(name)) {
      numbers.add(((Number) each).doubleValue());
    }
    return numbers;
  }

  private static double sum(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).sum();
  }

  @Test
  void shouldTellEachStep() {
    try (DataLoader<Long> loader = loader(4)) {
      train(loader, 5000);
      clock.pass(Duration.ofSeconds(9));
      train(loader, 7000);

      Map<String, Object> json = read(loader.runRecord());

      assertThat(json).containsEntry("kind", "feedline run").containsEntry("version", 1L);
      assertThat(numbers(json, "steps", "first")).containsExactly(0., 1., 2., 3., 4., 5., 6., 7.);
      assertThat(numbers(json, "steps", "count")).containsOnly(1.0).hasSize(8);
      assertThat(numbers(json, "steps", "samples")).containsOnly(2.0).hasSize(8);
      assertThat(numbers(json, "steps", "waited_seconds")).containsOnly(0.002).hasSize(8);
      assertThat(numbers(json, "steps", "at_seconds"))
          .containsExactly(0.0, 0.007, 0.014, 0.021, 9.028, 9.037, 9.046, 9.055);
      // The consumer's work after the last batch of an epoch is unknown.
      assertThat(numbers(json, "steps", "compute_seconds"))
          .containsExactly(0.005, 0.005, 0.005, 0.0, 0.007, 0.007, 0.007, 0.0);
      assertThat(numbers(json, "steps", "compute_count"))
          .containsExactly(1., 1., 1., 0., 1., 1., 1., 0.);
      assertThat(numbers(json, "steps", "waited_max_epoch"))
          .containsExactly(0., 0., 0., 0., 1., 1., 1., 1.);
      assertThat(numbers(json, "steps", "waited_max_batch"))
          .containsExactly(0., 1., 2., 3., 0., 1., 2., 3.);
      assertThat(numbers(json, "steps", "work_seconds")).containsOnly(0.002);
      assertThat(numbers(json, "steps", "ready_mean")).containsOnly(0.0);
    }
  }

  /** A reader wants to know with how many workers the figures came about. */
  @Test
  void shouldGiveTheWorkersThatWereChosen() {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(4, index -> index))
            .autoWorkers()
            .tuner(Tuners.always(3, 5))
            .build()) {
      Map<String, Object> json = object(read(loader.runRecord()), "loader");
      assertThat(json)
          .containsEntry("workers", 3L)
          .containsEntry("prefetch", 5L)
          .containsEntry("max_workers", (long) loader.options().numWorkers());
    }
    try (DataLoader<Long> loader = loader(4)) {
      assertThat(object(read(loader.runRecord()), "loader"))
          .containsEntry("workers", 0L)
          .containsEntry("max_workers", 0L);
    }
  }

  @Test
  void shouldKeepSumsAndTheOneLongWaitOfManySteps() {
    int batches = 5000;
    try (DataLoader<Long> loader = loader(batches, 6666)) {
      train(loader, 5000);

      Map<String, Object> json = read(loader.runRecord());

      List<Double> first = numbers(json, "steps", "first");
      assertThat(first.size()).isEqualTo(batches / 8);
      assertThat(first.subList(0, 3)).containsExactly(0., 8., 16.);
      assertThat(sum(numbers(json, "steps", "count"))).isEqualTo(batches);
      assertThat(sum(numbers(json, "steps", "samples"))).isEqualTo(2 * batches);
      assertThat(sum(numbers(json, "steps", "waited_seconds")))
          .isCloseTo(0.002 * batches + 0.069, within());
      assertThat(sum(numbers(json, "steps", "compute_seconds")))
          .isCloseTo(0.005 * (batches - 1), within());
      List<Double> longest = numbers(json, "steps", "waited_max_seconds");
      int spike = longest.indexOf(0.071);
      assertThat(spike).isEqualTo(3333 / 8);
      assertThat(numbers(json, "steps", "waited_max_batch").get(spike)).isEqualTo(3333);
      assertThat(longest.stream().filter(wait -> wait > 0.002)).hasSize(1);
    }
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-6);
  }

  @Test
  void shouldBoundItsLength() {
    try (DataLoader<Long> loader = loader(20_000)) {
      train(loader, 5000);

      assertThat(loader.runRecord().toJson().length()).isBetween(20_000, 200_000);
    }
  }

  @Test
  void shouldCountEveryWaitInTheHistogram() {
    try (DataLoader<Long> loader = loader(100, 40)) {
      train(loader, 5000);

      Map<String, Object> json = read(loader.runRecord());

      assertThat(numbers(json, "waits_histogram", "count")).containsExactly(99., 1.);
      List<Double> upTo = numbers(json, "waits_histogram", "up_to_seconds");
      assertThat(upTo.get(0)).isBetween(0.002, 0.0023);
      assertThat(upTo.get(1)).isBetween(0.071, 0.081);
      assertThat(object(json, "total").get("waits").toString()).contains("count=100");
    }
  }

  @Test
  void shouldReportTheLevelThatIsAsked() {
    try (DataLoader<Long> loader = loader(100, 40)) {
      train(loader, 5000);

      ServiceLevel level = ServiceLevel.of(2, Duration.ofMillis(20));
      Map<String, Object> asked = object(read(loader.runRecord(level)), "service_level");
      assertThat(asked)
          .containsEntry("step_measured", false)
          .containsEntry("kept", false)
          .containsEntry("verdict", loader.serviceLevel(level).toString());
      assertThat(asked.get("step_seconds")).isEqualTo(new BigDecimal("0.02"));

      Map<String, Object> own = object(read(loader.runRecord()), "service_level");
      assertThat(own).containsEntry("step_measured", true).containsEntry("batch_size", 2L);
      assertThat(own.get("step_seconds")).isEqualTo(new BigDecimal("0.005"));

      Refusals.assertRefused(
          () -> loader.runRecord(ServiceLevel.of(3, Duration.ofMillis(1))), "batchSize(2)");
    }
  }

  @Test
  void shouldKeepTheLongestStallsOfEachCause() {
    long[] slow = LongStream.rangeClosed(1, 40).map(i -> 20 * i).toArray();
    try (DataLoader<Long> loader = loader(1000, slow)) {
      train(loader, 5000);

      Map<String, Object> stalls = object(read(loader.runRecord()), "stalls");
      assertThat(stalls.get("by_cause").toString()).contains("cause=one slow sample, count=40");
      List<?> longest = (List<?>) stalls.get("longest");
      assertThat(longest).hasSize(RunLog.STALLS_KEPT);
      assertThat(longest.get(0).toString())
          .contains(
              "cause=one slow sample", "waited_seconds=0.071", "index=", "most of it reading");
    }
  }

  @Test
  void shouldSayNothingOfALoaderThatHasDoneNothing() {
    try (DataLoader<Long> loader = loader(3)) {
      Map<String, Object> json = read(loader.runRecord());

      assertThat(json).containsEntry("service_level", null);
      assertThat(numbers(json, "steps", "first")).isEmpty();
      assertThat((List<?>) json.get("epochs")).isEmpty();
    }
  }

  /** Names in JSON are a promise, each of which RUN.md has. */
  @Test
  void shouldDocumentEachName() throws IOException {
    String documented = Files.readString(Path.of("RUN.md"));
    try (DataLoader<Long> loader = loader(100, 40)) {
      train(loader, 5000);

      Set<String> names = new TreeSet<>();
      collectNames(read(loader.runRecord()), names);

      assertThat(names).contains("p999_seconds", "cpu_seconds", "in_time", "detail", "slots_mean");
      assertThat(names).allMatch(name -> documented.contains("`" + name + "`"));
    }
  }

  private static void collectNames(Object json, Set<String> names) {
    if (json instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            names.add((String) name);
            collectNames(value, names);
          });
    } else if (json instanceof List<?> list) {
      list.forEach(each -> collectNames(each, names));
    }
  }

  @Test
  void shouldTellTheCircumstances() {
    try (DataLoader<Long> loader = loader(3)) {
      RunRecord record =
          loader.runRecord().with("model", "a").with("note", "\"<&").with("model", "resnet50");
      String text = record.toJson();

      assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(text)).isTrue();
      Map<String, Object> json = Json.read(text);
      assertThat(json).containsEntry("name", "train </script> \"é\"");
      assertThat(json.get("settings")).hasToString("{model=resnet50, note=\"<&}");
      assertThat(object(json, "loader"))
          .containsEntry("workers", 0L)
          .containsEntry("batch_size", 2L)
          .containsEntry("prefetch_bytes", null)
          .containsEntry("slots", 3L);
      assertThat(object(json, "machine"))
          .containsEntry("processors", (long) Runtime.getRuntime().availableProcessors())
          .containsKeys("feedline", "kernels");
      assertThat(json).containsEntry("processor", null);
      loader.forEach(Batch::close);
      Map<String, Object> times = object(Json.read(loader.runRecord().toJson()), "processor");
      assertThat(times)
          .containsOnlyKeys(
              "process_seconds",
              "workers_seconds",
              "other_threads_seconds",
              "collector_stopped_seconds");
      assertThat(number(times, "workers_seconds")).as("without workers").isZero();
      assertThat(number(times, "process_seconds")).as("in hundredths").isNotNegative();
    }
  }

  private static final ServiceLevel LEVEL = ServiceLevel.of(4, Duration.ofMillis(20));

  private DataLoader<Long> resizing(int batches, int slowEvery) {
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
    try (DataLoader<Long> loader = resizing(201, 100)) {
      ServiceLevel.Report report = consumed(loader);
      assertThat(report.batches()).as("all but the first").isEqualTo(200);
      assertThat(report.inTime()).isEqualTo(198);
      assertThat(report.kept()).as("99 in 100 are enough").isTrue();
      assertThat(report.toString())
          .startsWith("99.0% of 200 batches of 4 came within 20 ms, as 99% should: resize had ");
    }
    try (DataLoader<Long> loader = resizing(201, 4)) {
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
  void shouldReportNothingBeforeTheSecondBatch() {
    try (DataLoader<Long> loader = resizing(3, 100)) {
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
    try (DataLoader<Long> loader = resizing(3, 100)) {
      Refusals.assertRefused(
          () -> loader.serviceLevel(ServiceLevel.of(8, step)), "batches of 8", "batchSize(4)");
    }
  }
}
