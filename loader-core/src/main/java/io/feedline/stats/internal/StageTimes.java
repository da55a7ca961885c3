package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimated sums of the stages' times over all batches: each measured batch counts with its weight.
 *
 * <p>Not thread-safe.
 */
final class StageTimes {

  private double[] elapsed = new double[Stages.OWN];
  private double[] cpu = new double[Stages.OWN];
  private double[] queued = new double[Stages.OWN];
  private long rows;

  /** The rows that measured batches represent: by chance a few more or less than all rows. */
  private double covered;

  void add(FinishedBatch batch) {
    BatchTimes times = batch.times();
    rows += batch.claimed();
    if (times.measured()) {
      covered += times.weight() * batch.claimed();
      elapsed = sum(elapsed, times.elapsed(), times.weight());
      cpu = sum(cpu, times.cpu(), times.weight());
      queued = sum(queued, times.queued(), times.weight());
    }
  }

  private static double[] sum(double[] into, long[] more, double weight) {
    double[] sum = more.length > into.length ? Arrays.copyOf(into, more.length) : into;
    for (int i = 0; i < more.length; i++) {
      sum[i] += more[i] * weight;
    }
    return sum;
  }

  private static double[] sum(double[] into, double[] more) {
    double[] sum = more.length > into.length ? Arrays.copyOf(into, more.length) : into;
    for (int i = 0; i < more.length; i++) {
      sum[i] += more[i];
    }
    return sum;
  }

  void add(StageTimes other) {
    rows += other.rows;
    covered += other.covered;
    elapsed = sum(elapsed, other.elapsed);
    cpu = sum(cpu, other.cpu);
    queued = sum(queued, other.queued);
  }

  private long all(double nanos) {
    return covered == 0 ? 0 : Math.round(nanos * rows / covered);
  }

  List<Map<String, Object>> json(Stages stages) {
    List<Map<String, Object>> json = new ArrayList<>();
    for (int i = 0; i < elapsed.length; i++) {
      long nanos = all(elapsed[i]);
      if (nanos > 0) {
        // The two clocks tick independently, and reading one clock takes time on the other.
        long worked = Math.max(0, Math.min(nanos, all(cpu[i])));
        Map<String, Object> stage = new LinkedHashMap<>();
        stage.put("name", stages.name(i));
        stage.put("elapsed_seconds", nanos / 1e9);
        stage.put("cpu_seconds", worked / 1e9);
        stage.put("queued_seconds", Math.min(nanos - worked, all(queued[i])) / 1e9);
        json.add(stage);
      }
    }
    return json;
  }

  long total() {
    return all(Arrays.stream(elapsed).sum());
  }
}
