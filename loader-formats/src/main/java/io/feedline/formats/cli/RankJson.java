package io.feedline.formats.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The plans of some orders of ranks as JSON. Its names are in loader-formats/README.md and are
 * kept; each is always there, and null where the value is not known.
 */
final class RankJson {

  private RankJson() {}

  static Map<String, Object> of(RankWorkload workload, List<RankPlan> plans) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", workload.ranks());
    json.put("per_node", workload.ranksPerNode());
    json.put("examples", workload.examples());
    json.put("shards", orNull(workload.shards()));
    json.put("batch_size", workload.batchSize());
    json.put("window_shards", workload.windowShards());
    json.put("runs", workload.runs());
    json.put("resume_ranks", workload.resume().map(RankWorkload.Resume::ranks).orElse(null));
    json.put("at_step", workload.resume().map(RankWorkload.Resume::step).orElse(null));
    json.put("orders", plans.stream().map(RankJson::order).toList());
    return json;
  }

  private static Map<String, Object> order(RankPlan plan) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("order", plan.order().toString());
    json.put("remainder", plan.remainder().name().toLowerCase(Locale.ROOT));
    json.put("fewest_steps", orNull(plan.steps().fewest()));
    json.put("most_steps", orNull(plan.steps().most()));
    json.put("fewest_examples", orNull(plan.examples().fewest()));
    json.put("most_examples", orNull(plan.examples().most()));
    json.put("read_twice", plan.readTwice());
    json.put("left_out", plan.leftOut());
    json.put("order_bytes", plan.bytes());
    json.put("first_batch_seconds", orNull(plan.firstBatchSeconds()));
    json.put("first_batch_reads", plan.readsOfFirstBatch());
    json.put("first_batch_storage_seconds", orNull(plan.storageSeconds()));
    json.put("shards_of_rank", orNull(plan.shardsOfRank()));
    json.put("shards_of_node", orNull(plan.shardsOfNode()));
    json.put("resume", plan.resumed().map(RankJson::resumed).orElse(null));
    return json;
  }

  private static Map<String, Object> resumed(RankPlan.Resumed resumed) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("possible", resumed.possible());
    json.put("refusal", resumed.refusal());
    json.put("examples_before", resumed.samplesBefore());
    json.put("first_example", orNull(resumed.firstExample()));
    json.put("fewest_steps_left", orNull(resumed.steps().fewest()));
    json.put("most_steps_left", orNull(resumed.steps().most()));
    return json;
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static Integer orNull(OptionalInt value) {
    return value.isPresent() ? value.getAsInt() : null;
  }

  private static Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
