package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.Output;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A plan as JSON. Its names are in PLAN.md and are kept; each is always there, and null where the
 * value is not known. Times are in seconds, sizes in bytes.
 */
final class PlanJson {

  private PlanJson() {}

  static Map<String, Object> of(Plan plan) {
    Workload workload = plan.workload();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("examples_per_second", plan.examplesPerSecond());
    json.put("reads_per_second", plan.readsPerSecond());
    json.put("bytes_per_second", plan.bytesPerSecond());
    json.put("attainable_examples_per_second", plan.attainableExamplesPerSecond());
    json.put("epoch_seconds", Output.orNull(plan.epochSeconds()));
    json.put("attainable_epoch_seconds", Output.orNull(plan.attainableEpochSeconds()));
    json.put("workload", workload(workload));
    json.put("workers", plan.workers().map(workers -> workers(workers, workload)).orElse(null));
    json.put("prefetch", plan.prefetch().map(PlanJson::prefetch).orElse(null));
    json.put("storage", plan.storage().map(check -> storage(check.storage())).orElse(null));
    json.put("check", plan.storage().map(PlanJson::check).orElse(null));
    json.put("packed", plan.packed().map(PlanJson::packed).orElse(null));
    return json;
  }

  private static Map<String, Object> workload(Workload workload) {
    Map<String, Object> json = new LinkedHashMap<>();
    boolean batched = workload.batchSize().isPresent();
    json.put("batch_size", batched ? workload.batchSize().getAsInt() : null);
    json.put("step_seconds", Output.orNull(workload.stepSeconds()));
    json.put("examples_per_second_of_gpu", workload.examplesPerSecondOfGpu());
    json.put("gpus", workload.gpus());
    json.put("experiments", workload.experiments());
    json.put("example_bytes", workload.exampleBytes());
    json.put("examples", workload.examples().isPresent() ? workload.examples().getAsLong() : null);
    return json;
  }

  private static Map<String, Object> workers(Plan.Workers workers, Workload workload) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("needed_per_gpu", workers.needed());
    json.put("needed", (long) ((double) workers.needed() * workload.loaders()));
    json.put(
        "given_per_gpu", workload.workers().isPresent() ? workload.workers().getAsInt() : null);
    json.put("processors", Output.orNull(workers.processors()));
    return json;
  }

  private static Map<String, Object> prefetch(Plan.Prefetch prefetch) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batches", prefetch.batches());
    json.put("open_batches", Plan.OPEN_BATCHES);
    json.put("bytes_per_gpu", prefetch.bytesOfLoader());
    json.put("bytes", prefetch.bytes());
    json.put("hidden_read_seconds", prefetch.hiddenSeconds());
    return json;
  }

  private static Map<String, Object> storage(Storage storage) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", storage.name());
    json.put("latency_seconds", storage.latencySeconds());
    json.put("reads_per_second", storage.readsPerSecond());
    json.put("bytes_per_second", storage.bytesPerSecond());
    json.put("source", storage.source());
    return json;
  }

  private static Map<String, Object> check(StorageCheck check) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("verdict", Output.name(check.verdict()));
    json.put("limit", check.nearest().kind().key());
    json.put("load", check.nearest().load());
    json.put("reads_in_flight", check.readsInFlight());
    Map<String, Object> loads = new LinkedHashMap<>();
    check.limits().forEach(limit -> loads.put(limit.kind().key(), limit.load()));
    json.put("loads", loads);
    return json;
  }

  private static Map<String, Object> packed(Plan.Packed packed) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("read_bytes", Plan.PACKED_READ);
    json.put("reads_per_second", packed.readsPerSecond());
    json.put("check", packed.storage().map(PlanJson::check).orElse(null));
    return json;
  }
}
