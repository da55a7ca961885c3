package io.feedline.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.Garbage;
import io.feedline.Samples;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.internal.ReadMeter;
import io.feedline.stats.LoaderStats;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoaderMetricsTest {

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

  private static DataLoader<Long> loader(String name) {
    Dataset<Long> dataset =
        Samples.numbers(10, index -> ReadMeter.add(5)).map("resize", sample -> sample + 1);
    return DataLoader.builder(dataset)
        .batchSize(4)
        .numWorkers(0)
        .stallThreshold(Duration.ofNanos(1))
        .name(name)
        .build();
  }

  private void pass() {
    clock.add(Duration.ofSeconds(1));
  }

  private double value(String meter, String... tags) {
    return registry.get(meter).tags(tags).meter().measure().iterator().next().getValue();
  }

  @Test
  void shouldCountWhatStatisticsCount() {
    try (DataLoader<Long> loader = loader("train");
        LoaderMetrics metrics = LoaderMetrics.of(loader, Tags.of("rank", "3"))) {
      metrics.bindTo(registry);
      assertThat(value("feedline.batches")).isZero();
      loader.forEach(Batch::close);
      Batch open = loader.iterator().next();
      pass();

      LoaderStats stats = loader.stats();
      LoaderStats.Epoch total = stats.total();
      assertThat(value("feedline.batches", "loader", "train", "rank", "3")).isEqualTo(4);
      assertThat(value("feedline.samples")).isEqualTo(14);

      assertThat(value("feedline.workers")).isZero();
      assertThat(value("feedline.workers.occupancy")).isEqualTo(total.workers().occupancy());
      assertThat(value("feedline.slots")).isEqualTo(1 + loader.options().maxOpenBatches());
      assertThat(value("feedline.slots.occupancy")).isEqualTo(total.slotsInUse());
      assertThat(value("feedline.batches.ready")).isZero();
      assertThat(value("feedline.batches.open")).isEqualTo(1);
      assertThat(value("feedline.memory")).isPositive().isEqualTo((double) stats.hostBytes());
      open.close();
    }
  }

  @Test
  void shouldTimeQuantilesOfWaitsAndStages() {
    try (DataLoader<Long> loader = loader("times");
        LoaderMetrics metrics = LoaderMetrics.of(loader)) {
      metrics.bindTo(registry);
      loader.forEach(Batch::close);
      pass();
      LoaderStats.Epoch total = loader.stats().total();
      Map<String, Duration> quantiles =
          Map.of(
              "0.5", total.waits().p50(),
              "0.9", total.waits().p90(),
              "0.99", total.waits().p99(),
              "0.999", total.waits().p999(),
              "1", total.waits().max());
      quantiles.forEach(
          (quantile, wait) -> {
            TimeGauge gauge = registry.get("feedline.wait").tag("quantile", quantile).timeGauge();
            assertThat(gauge.value(TimeUnit.NANOSECONDS))
                .isCloseTo((double) wait.toNanos(), within(1.0));
          });
      assertThat(total.stalls().total().count()).isEqualTo(3);
      assertThat(total.stages()).extracting(LoaderStats.Stage::name).contains("reading", "resize");
      for (LoaderStats.Stage stage : total.stages()) {
        FunctionTimer timer =
            registry.get("feedline.stage").tag("stage", stage.name()).functionTimer();
        assertThat(timer.count()).isEqualTo(10);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS))
            .isCloseTo((double) stage.elapsed().toNanos(), within(1.0));
        assertThat(
                registry
                    .get("feedline.stage.cpu")
                    .tag("stage", stage.name())
                    .functionTimer()
                    .totalTime(TimeUnit.NANOSECONDS))
            .isCloseTo((double) stage.cpu().toNanos(), within(1.0));
      }
    }
  }

  @Test
  void shouldHaveUnitsDescriptionsAndTheLoadersName() {
    try (DataLoader<Long> loader = loader("units");
        LoaderMetrics metrics = LoaderMetrics.of(loader)) {
      loader.forEach(Batch::close);
      metrics.bindTo(registry);
      List<Meter> meters = registry.getMeters();
      assertThat(meters).hasSizeGreaterThan(25);
      assertThat(meters)
          .allMatch(meter -> meter.getId().getName().startsWith("feedline."))
          .allMatch(meter -> "units".equals(meter.getId().getTag("loader")))
          .allMatch(meter -> meter.getId().getDescription() != null);
      assertThat(meters)
          .filteredOn(meter -> meter.getId().getBaseUnit() == null)
          .extracting(meter -> meter.getId().getName())
          .containsExactlyInAnyOrder("feedline.workers.occupancy", "feedline.slots.occupancy");
      assertThat(registry.get("feedline.read").functionCounter().getId().getBaseUnit())
          .isEqualTo("bytes");
    }
  }

  @Test
  void shouldTellLoadersApartAndRemoveTheirMeters() {
    try (DataLoader<Long> train = loader("train");
        DataLoader<Long> validation = loader("validation")) {
      LoaderMetrics.of(train).bindTo(registry);
      LoaderMetrics metrics = LoaderMetrics.of(validation);
      metrics.bindTo(registry);
      validation.forEach(Batch::close);
      pass();
      assertThat(value("feedline.samples", "loader", "train")).isZero();
      assertThat(value("feedline.samples", "loader", "validation")).isEqualTo(10);
      metrics.close();
      metrics.close();
      assertThat(registry.getMeters())
          .isNotEmpty()
          .allMatch(meter -> "train".equals(meter.getId().getTag("loader")));
    }
  }

  @Test
  void shouldKeepNoLoaderAlive() {
    WeakReference<DataLoader<Long>> forgotten = bindAndForget();
    assertThat(Garbage.makes(() -> forgotten.refersTo(null))).isTrue();
    assertThat(value("feedline.memory")).isNaN();
    assertThat(value("feedline.samples")).as("the last that is known").isEqualTo(10);
  }

  private WeakReference<DataLoader<Long>> bindAndForget() {
    DataLoader<Long> loader = loader("forgotten");
    LoaderMetrics metrics = LoaderMetrics.of(loader);
    metrics.bindTo(registry);
    loader.forEach(Batch::close);
    pass();
    assertThat(value("feedline.samples")).isEqualTo(10);
    return new WeakReference<>(loader);
  }
}
