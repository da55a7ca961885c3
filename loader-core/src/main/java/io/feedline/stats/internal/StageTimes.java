package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import io.feedline.stats.EpochStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sums of what stages took, of all batches by those that were measured: each of these counts for as
 * many as it stands for.
 *
 * <p>Not thread-safe.
 */
final class StageTimes {

  private double[] elapsed = new double[Stages.OWN];
  private double[] cpu = new double[Stages.OWN];
  private double[] queued = new double[Stages.OWN];

  /** The rows of all batches. */
  private long rows;

  /** The rows that measured batches stand for, which by chance are a few more or less. */
  private double covered;

  /** Adds a batch. */
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

  /** Adds other sums. */
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

  /** Returns the stages that took any time, the loader's own first. */
  List<EpochStats.Stage> stats(Stages stages) {
    List<EpochStats.Stage> stats = new ArrayList<>();
    for (int i = 0; i < elapsed.length; i++) {
      long nanos = all(elapsed[i]);
      if (nanos > 0) {
        // The two clocks tick apart, and to read one takes time of the other.
        long worked = Math.max(0, Math.min(nanos, all(cpu[i])));
        stats.add(
            new EpochStats.Stage(
                stages.name(i),
                Duration.ofNanos(nanos),
                Duration.ofNanos(worked),
                Duration.ofNanos(Math.min(nanos - worked, all(queued[i])))));
      }
    }
    return List.copyOf(stats);
  }

  /** Returns what all stages took. */
  long total() {
    return all(Arrays.stream(elapsed).sum());
  }
}
