package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.Output;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A plan as JSON. Its names are in PLAN.md and are kept; each is always there, and null where the
 * value is not known. Times are in seconds, sizes in bytes.
 */
final class PlanJson {

  private PlanJson() {}

  static Map<String, Object> of(Plan plan) {
    Workload work = plan.workload();
    double epoch = plan.epochSeconds().orElse(0);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("examples_per_second", plan.examplesPerSecond());
    json.put("reads_per_second", plan.examplesPerSecond());
    json.put("bytes_per_second", plan.bytesPerSecond());
    json.put("attainable_examples_per_second", plan.examplesPerSecond() * plan.busy());
    json.put("epoch_seconds", Output.orNull(plan.epochSeconds()));
    json.put(
        "attainable_epoch_seconds", plan.epochSeconds().isEmpty() ? null : epoch / plan.busy());
    json.put("workload", workload(work));
    json.put("workers", plan.workers().map(each -> workers(each, work)).orElse(null));
    json.put("prefetch", plan.prefetch().map(each -> prefetch(each, work)).orElse(null));
    json.put("storage", plan.storage().map(check -> storage(check.storage())).orElse(null));
    json.put("check", plan.storage().map(PlanJson::check).orElse(null));
    json.put("packed", plan.packed().map(PlanJson::packed).orElse(null));
    return json;
  }

  private static Map<String, Object> workload(Workload work) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", orNull(work.batchSize()));
    json.put(
        "step_seconds",
        work.batchSize().isEmpty()
            ? null
            : work.batchSize().getAsInt() / work.examplesPerSecondOfGpu());
    json.put("examples_per_second_of_gpu", work.examplesPerSecondOfGpu());
    json.put("gpus", work.gpus());
    json.put("experiments", work.experiments());
    json.put("example_bytes", work.exampleBytes());
    json.put("examples", orNull(work.examples()));
    return json;
  }

  private static Map<String, Object> workers(Plan.Workers workers, Workload work) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("needed_per_gpu", workers.needed());
    json.put("needed", (long) ((double) workers.needed() * work.loaders()));
    json.put("given_per_gpu", orNull(work.workers()));
    json.put("processors", Output.orNull(workers.processors()));
    return json;
  }

  private static Map<String, Object> prefetch(Plan.Prefetch prefetch, Workload work) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batches", prefetch.batches());
    json.put("open_batches", Plan.OPEN_BATCHES);
    json.put("bytes_per_gpu", prefetch.bytesOfLoader());
    json.put("bytes", prefetch.bytesOfLoader() * work.loaders());
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

  private static Map<String, Object> check(Plan.Check check) {
    Map<String, Object> loads = new LinkedHashMap<>();
    check.limits().forEach(limit -> loads.put(limit.kind().key, limit.load()));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("verdict", Output.name(check.verdict()));
    json.put("limit", check.nearest().kind().key);
    json.put("load", check.nearest().load());
    json.put("reads_in_flight", check.readsInFlight());
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

  private static @Nullable Integer orNull(OptionalInt value) {
    return value.isPresent() ? value.getAsInt() : null;
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
