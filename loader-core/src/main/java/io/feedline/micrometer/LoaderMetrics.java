package io.feedline.micrometer;

import io.feedline.DataLoader;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.Stalls;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a loader.
 *
 * <pre>{@code
 * try (LoaderMetrics metrics = LoaderMetrics.of(loader)) {
 *   metrics.bindTo(registry);
 *   train(loader);
 * }
 * }</pre>
 *
 * <p>Each meter has the tag {@code loader} with the loader's name. Counters and timers count from
 * the loader's beginning.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind, unit</th><th>meaning</th></tr>
 * <tr><td>feedline.batches</td><td>counter, batches</td><td>delivered batches</td></tr>
 * <tr><td>feedline.samples</td><td>counter, samples</td><td>delivered samples</td></tr>
 * <tr><td>feedline.batches.failed</td><td>counter, batches</td>
 *   <td>batches that ended in an exception</td></tr>
 * <tr><td>feedline.samples.tolerated</td><td>counter, samples</td>
 *   <td>samples that failed, and were skipped or substituted</td></tr>
 * <tr><td>feedline.read</td><td>counter, bytes</td>
 *   <td>bytes of samples as they are stored, if the dataset reports them</td></tr>
 * <tr><td>feedline.waits</td><td>timer</td><td>waits in {@code next()}, one for each batch</td></tr>
 * <tr><td>feedline.wait</td><td>gauge, time</td>
 *   <td>quantiles of these waits, by the tag {@code quantile}: 0.5, 0.9, 0.99, 0.999, and 1 for the
 *   longest</td></tr>
 * <tr><td>feedline.stalls</td><td>timer</td>
 *   <td>waits that took long, by the tag {@code cause}: a {@link Stalls.Cause} in small
 *   letters</td></tr>
 * <tr><td>feedline.stage, feedline.stage.cpu</td><td>timer</td>
 *   <td>elapsed and CPU time of a stage, all workers together, by the tag {@code stage}; its count
 *   is the number of samples, so its mean is the time for a sample. A stage appears when it has
 *   taken time</td></tr>
 * <tr><td>feedline.workers</td><td>gauge, threads</td><td>workers</td></tr>
 * <tr><td>feedline.workers.occupancy</td><td>gauge, 0 to 1</td>
 *   <td>share of the workers' time that went into stages</td></tr>
 * <tr><td>feedline.slots</td><td>gauge, batches</td>
 *   <td>most batches in production and open at once</td></tr>
 * <tr><td>feedline.slots.occupancy</td><td>gauge, 0 to 1</td>
 *   <td>mean share of the slots in use</td></tr>
 * <tr><td>feedline.batches.ready</td><td>gauge, batches</td>
 *   <td>finished batches that are not yet taken</td></tr>
 * <tr><td>feedline.batches.open</td><td>gauge, batches</td>
 *   <td>taken batches that are not yet closed</td></tr>
 * <tr><td>feedline.memory</td><td>gauge, bytes</td><td>memory of the slots</td></tr>
 * </table>
 *
 * <p>Neither this object nor its meters keep the loader alive. When the loader has been collected,
 * gauges have no value any more, and the other meters keep their last value. {@link #close} removes
 * the meters; otherwise the registry would continue with them for a later loader with the same name
 * and tags.
 *
 * <p>Thread-safe.
 */
public final class LoaderMetrics implements MeterBinder, AutoCloseable {

  /** The time for which figures are not read again, since all meters are read at once. */
  private static final long FRESH_NANOS = Duration.ofMillis(100).toNanos();

  private static final String PREFIX = "feedline.";

  private static final Map<String, Function<LoaderStats.Waits, Duration>> QUANTILES =
      Map.of(
          "0.5", LoaderStats.Waits::p50,
          "0.9", LoaderStats.Waits::p90,
          "0.99", LoaderStats.Waits::p99,
          "0.999", LoaderStats.Waits::p999,
          "1", LoaderStats.Waits::max);

  private final WeakReference<DataLoader<?>> loader;
  private final Tags tags;
  private final List<Binding> bindings = new ArrayList<>();

  private LoaderMetrics(DataLoader<?> loader, Iterable<Tag> tags) {
    this.loader = new WeakReference<>(loader);
    this.tags = Tags.of(tags).and("loader", loader.options().name());
  }

  /** Returns the meters of a loader. */
  public static LoaderMetrics of(DataLoader<?> loader) {
    return of(loader, Tags.empty());
  }

  /**
   * Returns the meters of a loader.
   *
   * @param tags the tags of each meter, in addition to the loader's name
   */
  public static LoaderMetrics of(DataLoader<?> loader, Iterable<Tag> tags) {
    return new LoaderMetrics(loader, tags);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    DataLoader<?> bound = loader.get();
    if (bound != null) {
      Binding binding = new Binding(registry, tags);
      bindings.add(binding);
      binding.register(bound);
    }
  }

  /** Removes the meters from their registries. May be called twice. */
  @Override
  public synchronized void close() {
    bindings.forEach(Binding::remove);
    bindings.clear();
  }

  /** The meters in one registry; they get the loader as argument and keep no reference. */
  private static final class Binding {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Clock clock;
    private final List<Meter> meters = new ArrayList<>();
    private final Set<String> stages = new HashSet<>();
    private @Nullable LoaderStats stats;

    private long readAt;
    private boolean removed;

    Binding(MeterRegistry registry, Tags tags) {
      this.registry = registry;
      this.tags = tags;
      this.clock = registry.config().clock();
    }

    private synchronized LoaderStats stats(DataLoader<?> loader) {
      long now = clock.monotonicTime();
      if (stats == null || now - readAt >= FRESH_NANOS) {
        stats = loader.stats();
        readAt = now;
        registerStages(loader);
      }
      return stats;
    }

    private synchronized void registerStages(DataLoader<?> loader) {
      for (LoaderStats.Stage stage : stats.total().stages()) {
        if (!removed && stages.add(stage.name())) {
          stage(loader, stage.name(), "stage", LoaderStats.Stage::elapsed);
          stage(loader, stage.name(), "stage.cpu", LoaderStats.Stage::cpu);
        }
      }
    }

    private void stage(
        DataLoader<?> loader, String stage, String name, Function<LoaderStats.Stage, Duration> of) {
      Function<LoaderStats, Duration> time =
          stats -> stats.total().stage(stage).map(of).orElse(Duration.ZERO);
      timer(loader, name, Tag.of("stage", stage), "Time of a stage", LoaderStats::samples, time);
    }

    synchronized void register(DataLoader<?> loader) {
      counter(loader, "batches", "Delivered", "batches", LoaderStats::batches);
      counter(loader, "samples", "Delivered", "samples", LoaderStats::samples);
      counter(loader, "batches.failed", "Failed", "batches", LoaderStats::failures);
      counter(loader, "samples.tolerated", "Left out", "samples", LoaderStats::tolerated);
      counter(loader, "read", "As stored", BaseUnits.BYTES, stats -> stats.total().bytesRead());
      timer(
          loader,
          "waits",
          Tag.of("loader", loader.options().name()),
          "Waits for a batch",
          stats -> stats.total().waits().count(),
          LoaderStats::waited);
      QUANTILES.forEach((quantile, of) -> quantile(loader, quantile, of));
      for (Stalls.Cause cause : Stalls.Cause.values()) {
        timer(
            loader,
            "stalls",
            Tag.of("cause", cause.name().toLowerCase(Locale.ROOT)),
            "Waits that took long",
            stats -> stats.stalls().of(cause).count(),
            stats -> stats.stalls().of(cause).waited());
      }
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      gauge(loader, "workers", "At work", "threads", stats -> stats.total().workers().count());
      gauge(loader, "workers.occupancy", "Share", null, s -> s.total().workers().occupancy());
      gauge(loader, "slots", "In production and open, at most", "batches", stats -> slots);
      gauge(loader, "slots.occupancy", "Share", null, stats -> stats.total().slotsInUse());
      gauge(loader, "batches.ready", "Not yet taken", "batches", LoaderStats::batchesReady);
      gauge(loader, "batches.open", "Not yet closed", "batches", LoaderStats::batchesOpen);
      gauge(loader, "memory", "Of the slots", BaseUnits.BYTES, LoaderStats::hostBytes);
      stats(loader);
    }

    private void counter(
        DataLoader<?> loader,
        String name,
        String words,
        String unit,
        ToDoubleFunction<LoaderStats> value) {
      meters.add(
          FunctionCounter.builder(PREFIX + name, loader, of -> value.applyAsDouble(stats(of)))
              .description(words)
              .baseUnit(unit)
              .tags(tags)
              .register(registry));
    }

    private void gauge(
        DataLoader<?> loader,
        String name,
        String words,
        @Nullable String unit,
        ToDoubleFunction<LoaderStats> value) {
      meters.add(
          Gauge.builder(PREFIX + name, loader, of -> value.applyAsDouble(stats(of)))
              .description(words)
              .baseUnit(unit)
              .tags(tags)
              .register(registry));
    }

    private void quantile(
        DataLoader<?> loader, String quantile, Function<LoaderStats.Waits, Duration> value) {
      ToDoubleFunction<DataLoader<?>> nanos =
          of -> value.apply(stats(of).total().waits()).toNanos();
      meters.add(
          TimeGauge.builder(PREFIX + "wait", loader, TimeUnit.NANOSECONDS, nanos)
              .description("A quantile of the waits")
              .tags(tags.and("quantile", quantile))
              .register(registry));
    }

    private void timer(
        DataLoader<?> loader,
        String name,
        Tag tag,
        String words,
        ToLongFunction<LoaderStats> count,
        Function<LoaderStats, Duration> total) {
      ToLongFunction<DataLoader<?>> counted = of -> count.applyAsLong(stats(of));
      ToDoubleFunction<DataLoader<?>> nanos = of -> total.apply(stats(of)).toNanos();
      meters.add(
          FunctionTimer.builder(PREFIX + name, loader, counted, nanos, TimeUnit.NANOSECONDS)
              .description(words)
              .tags(tags.and(tag))
              .register(registry));
    }

    synchronized void remove() {
      removed = true;
      meters.forEach(registry::remove);
      meters.clear();
    }
  }
}
