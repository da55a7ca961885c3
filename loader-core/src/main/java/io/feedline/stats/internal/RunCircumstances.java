package io.feedline.stats.internal;

import io.feedline.internal.Circumstances;
import io.feedline.stats.LoaderStats;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The circumstances of a run that its loader knows.
 *
 * @param options the loader's options as JSON, with the limits of workers and of batches ahead
 * @param tolerated the tolerated samples, including failures of the loaders whose state was resumed
 * @param workers the loader's threads, by id
 */
public record RunCircumstances(
    String name,
    Map<String, Object> options,
    Duration stallThreshold,
    long tolerated,
    long hostBytes,
    long[] workers) {

  Map<String, Object> json(LoaderStats.Tuning tuning, MachineLoad.@Nullable Use use) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", "feedline run");
    json.put("version", 1L);
    json.put("created", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    json.put("name", name);
    json.put("settings", Map.of());
    json.put("loader", loader(tuning));
    json.put("machine", machine(use));
    json.put("processor", use == null || use.process() < 0 ? null : processor(use));
    json.put("host_bytes", hostBytes);
    return json;
  }

  private Map<String, Object> loader(LoaderStats.Tuning tuning) {
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

  private static Map<String, Object> processor(MachineLoad.Use use) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("process_seconds", use.process() / 1e9);
    json.put("workers_seconds", use.workers() / 1e9);
    json.put("other_threads_seconds", use.threads() / 1e9);
    json.put("collector_stopped_seconds", use.collecting() / 1e9);
    return json;
  }
}
