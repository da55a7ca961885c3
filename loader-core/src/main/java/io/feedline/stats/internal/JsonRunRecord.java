package io.feedline.stats.internal;

import io.feedline.internal.Circumstances;
import io.feedline.internal.Json;
import io.feedline.stats.EpochStats;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A {@link RunRecord} as a map of JSON's values. {@code RUN.md} of loader-core has the names.
 *
 * <p>Immutable.
 */
public final class JsonRunRecord implements RunRecord {

  /** The kind of the text, as the text itself has it. */
  static final String KIND = "feedline run";

  static final long VERSION = 1;

  private static final double SECONDS = 1e9;

  private final Map<String, Object> json;

  private JsonRunRecord(Map<String, Object> json) {
    this.json = json;
  }

  /**
   * Returns the record of a loader.
   *
   * @param options what the loader was built with, as JSON; of the number of workers and of batches
   *     ahead the most that there can be
   */
  public static RunRecord of(
      String name, Map<String, Object> options, Duration stallThreshold, RunFigures run) {
    LoaderStats stats = run.stats();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", KIND);
    json.put("version", VERSION);
    json.put("created", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.put("name", name);
    json.put("settings", Map.of());
    json.put("loader", loader(options, stats.tuning()));
    json.put("machine", machine(run.machine()));
    json.put("processor", processor(run.machine()));
    json.put("host_bytes", stats.hostBytes());
    json.put("total", epoch(stats.total()));
    json.put("epochs", stats.epochs().stream().map(JsonRunRecord::epoch).toList());
    json.put("waits_histogram", histogram(run.waits()));
    json.put("service_level", run.level() == null ? null : level(run));
    json.put("stalls", stalls(run, stallThreshold));
    json.put("steps", steps(run.spans()));
    return new JsonRunRecord(json);
  }

  @Override
  public RunRecord with(String name, String value) {
    Map<String, Object> settings = new LinkedHashMap<>();
    ((Map<?, ?>) json.get("settings")).forEach((key, each) -> settings.put((String) key, each));
    settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    Map<String, Object> copy = new LinkedHashMap<>(json);
    copy.put("settings", settings);
    return new JsonRunRecord(copy);
  }

  @Override
  public String toJson() {
    return Json.write(json);
  }

  // ---- circumstances ------------------------------------------------------------------------

  /** The options, with the setting that the loader has now: a tuner may have chosen another one. */
  private static Map<String, Object> loader(
      Map<String, Object> options, LoaderStats.Tuning tuning) {
    Map<String, Object> json = new LinkedHashMap<>(options);
    json.put("workers", tuning.workers());
    json.put("prefetch", tuning.prefetch());
    json.put("max_workers", options.get("workers"));
    return json;
  }

  private static Map<String, Object> machine(MachineLoad.@Nullable Use use) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("feedline", Circumstances.version());
    json.put("kernels", Circumstances.chosen().get("kernels"));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put(
        "other_processes_processors",
        use == null || use.others().isEmpty()
            ? null
            : Math.round(100 * use.others().getAsDouble()) / 100.0);
    json.put("max_heap_bytes", Runtime.getRuntime().maxMemory());
    json.put(
        "os",
        String.join(
            " ",
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch")));
    json.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    return json;
  }

  private static @Nullable Map<String, Object> processor(MachineLoad.@Nullable Use times) {
    if (times == null || times.process() < 0) {
      return null;
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("process_seconds", times.process() / SECONDS);
    json.put("workers_seconds", times.workers() / SECONDS);
    json.put("other_threads_seconds", times.threads() / SECONDS);
    json.put("collector_stopped_seconds", times.collecting() / SECONDS);
    return json;
  }

  // ---- figures ------------------------------------------------------------------------------

  private static Map<String, Object> epoch(EpochStats stats) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("epoch", stats.epoch().isPresent() ? stats.epoch().getAsLong() : null);
    json.put("batches", stats.batches());
    json.put("samples", stats.samples());
    json.put("failures", stats.failures());
    json.put("tolerated", stats.tolerated());
    json.put("bytes_read", stats.bytesRead());
    json.put("elapsed_seconds", seconds(stats.elapsed()));
    json.put("waits", waits(stats.waits()));
    json.put("stages", stats.stages().stream().map(JsonRunRecord::stage).toList());
    EpochStats.Workers workers = stats.workers();
    json.put("workers_occupancy", workers.occupancy());
    json.put("workers_waited_for_room_seconds", seconds(workers.waitedForRoom()));
    json.put("workers_waited_for_epoch_seconds", seconds(workers.waitedForEpoch()));
    json.put("workers_waited_to_read_seconds", seconds(workers.waitedToRead()));
    json.put("workers_contention", workers.contention());
    json.put("slots_in_use", stats.slotsInUse());
    json.put("readiness", stats.readiness());
    return json;
  }

  private static Map<String, Object> waits(EpochStats.Waits waits) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", waits.count());
    json.put("total_seconds", seconds(waits.total()));
    json.put("p50_seconds", seconds(waits.p50()));
    json.put("p90_seconds", seconds(waits.p90()));
    json.put("p99_seconds", seconds(waits.p99()));
    json.put("p999_seconds", seconds(waits.p999()));
    json.put("max_seconds", seconds(waits.max()));
    return json;
  }

  private static Map<String, Object> stage(EpochStats.Stage stage) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", stage.name());
    json.put("elapsed_seconds", seconds(stage.elapsed()));
    json.put("cpu_seconds", seconds(stage.cpu()));
    json.put("queued_seconds", seconds(stage.queued()));
    return json;
  }

  private static Map<String, Object> histogram(List<LatencyHistogram.Bin> bins) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("up_to_seconds", bins.stream().map(bin -> bin.upTo() / SECONDS).toList());
    json.put("count", bins.stream().map(LatencyHistogram.Bin::count).toList());
    return json;
  }

  private static Map<String, Object> level(RunFigures run) {
    ServiceLevel.Report report = run.level();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", report.level().batchSize());
    json.put("step_seconds", seconds(report.level().stepTime()));
    json.put("step_measured", run.levelMeasured());
    json.put("batches", report.batches());
    json.put("in_time", report.inTime());
    json.put("kept", report.kept());
    json.put("verdict", report.toString());
    return json;
  }

  private static Map<String, Object> stalls(RunFigures run, Duration threshold) {
    Stalls stalls = run.stats().stalls();
    List<Object> causes = new ArrayList<>();
    stalls
        .byCause()
        .forEach(
            (cause, sum) -> {
              Map<String, Object> each = new LinkedHashMap<>();
              each.put("cause", cause.toString());
              each.put("count", sum.count());
              each.put("waited_seconds", seconds(sum.waited()));
              causes.add(each);
            });
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("threshold_seconds", seconds(threshold));
    json.put("by_cause", causes);
    json.put("longest", run.longestStalls().stream().map(JsonRunRecord::stall).toList());
    return json;
  }

  private static Map<String, Object> stall(Stall stall) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cause", stall.cause().toString());
    json.put("stage", stall.stage());
    json.put("epoch", stall.epoch());
    json.put("batch", stall.batch());
    json.put("waited_seconds", seconds(stall.waited()));
    json.put("index", stall.index().isPresent() ? stall.index().getAsLong() : null);
    json.put("detail", stall.detail());
    return json;
  }

  private static Map<String, Object> steps(List<RunLog.Span> spans) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("first", longs(spans, span -> span.first));
    json.put("count", longs(spans, span -> span.steps));
    json.put("at_seconds", times(spans, span -> span.at));
    json.put("samples", longs(spans, span -> span.samples));
    json.put("waited_seconds", times(spans, span -> span.waited));
    json.put("waited_max_seconds", times(spans, span -> span.mostWaited));
    json.put("waited_max_epoch", longs(spans, span -> span.mostWaitedEpoch));
    json.put("waited_max_batch", longs(spans, span -> span.mostWaitedBatch));
    json.put("compute_count", longs(spans, span -> span.workedSteps));
    json.put("compute_seconds", times(spans, span -> span.worked));
    json.put("compute_max_seconds", times(spans, span -> span.mostWorked));
    json.put("work_seconds", times(spans, span -> span.work));
    json.put("ready_mean", means(spans, span -> span.ready));
    json.put("ready_min", longs(spans, span -> span.leastReady));
    json.put("slots_mean", means(spans, span -> span.slotsInUse));
    json.put("slots_max", longs(spans, span -> span.mostSlotsInUse));
    return json;
  }

  private static List<Long> longs(List<RunLog.Span> spans, ToLongFunction<RunLog.Span> value) {
    return spans.stream().map(value::applyAsLong).toList();
  }

  private static List<Double> times(List<RunLog.Span> spans, ToLongFunction<RunLog.Span> nanos) {
    return rounded(spans, span -> nanos.applyAsLong(span) / SECONDS);
  }

  private static List<Double> means(List<RunLog.Span> spans, ToLongFunction<RunLog.Span> sum) {
    return rounded(spans, span -> (double) sum.applyAsLong(span) / span.steps);
  }

  /** To the microsecond: the text has thousands of these. */
  private static List<Double> rounded(
      List<RunLog.Span> spans, ToDoubleFunction<RunLog.Span> value) {
    return spans.stream().map(span -> Math.round(1e6 * value.applyAsDouble(span)) / 1e6).toList();
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / SECONDS;
  }
}
