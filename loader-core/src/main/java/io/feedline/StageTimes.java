package io.feedline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sums of what stages took. Not thread-safe. */
final class StageTimes {

  private long[] elapsed = new long[Stages.OWN];
  private long[] cpu = new long[Stages.OWN];
  private long[] elapsedWithCpu = new long[Stages.OWN];

  /**
   * Adds to each stage.
   *
   * @param cpuNanos the CPU time of some of it
   * @param withCpu the elapsed time of the same
   */
  void add(long[] nanos, long[] cpuNanos, long[] withCpu) {
    for (int i = 0; i < nanos.length; i++) {
      add(i, nanos[i], cpuNanos[i], withCpu[i]);
    }
  }

  /** Adds other sums. */
  void add(StageTimes other) {
    add(other.elapsed, other.cpu, other.elapsedWithCpu);
  }

  /** Adds to one stage. */
  void add(int stage, long nanos, long cpuNanos, long withCpu) {
    if (stage >= elapsed.length) {
      elapsed = Arrays.copyOf(elapsed, stage + 1);
      cpu = Arrays.copyOf(cpu, stage + 1);
      elapsedWithCpu = Arrays.copyOf(elapsedWithCpu, stage + 1);
    }
    elapsed[stage] += nanos;
    cpu[stage] += cpuNanos;
    elapsedWithCpu[stage] += withCpu;
  }

  /** Returns the stages that took any time, the loader's own first. */
  List<EpochStats.Stage> stats(Stages stages) {
    List<EpochStats.Stage> stats = new ArrayList<>();
    for (int i = 0; i < elapsed.length; i++) {
      if (elapsed[i] > 0) {
        double share = elapsedWithCpu[i] == 0 ? 0 : (double) cpu[i] / elapsedWithCpu[i];
        // The two clocks tick apart: what is measured once may be a little more than all of it.
        long cpuNanos = (long) (elapsed[i] * Math.max(0, Math.min(1, share)));
        stats.add(
            new EpochStats.Stage(
                stages.name(i), Duration.ofNanos(elapsed[i]), Duration.ofNanos(cpuNanos)));
      }
    }
    return List.copyOf(stats);
  }

  /** Returns what all stages took. */
  long total() {
    return Arrays.stream(elapsed).sum();
  }
}
