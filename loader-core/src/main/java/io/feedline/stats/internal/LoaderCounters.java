package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import io.feedline.stats.EpochStats;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls.Stall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The counts of what a loader has delivered, how long its consumer waited, and where the workers'
 * time went: the figures of {@link LoaderStats} and of a {@link RunRecord}.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class LoaderCounters implements LoaderObserver {

  /** The number of past epochs whose figures are kept. */
  private static final int EPOCHS_KEPT = 16;

  /** The number of stalls whose details are kept. */
  private static final int STALLS_KEPT = 32;

  /** The number of kept changes of workers and prefetch. */
  private static final int CHANGES_KEPT = 32;

  private final Stages stages;
  private final Deque<LoaderStats.Tuning.Change> changes = new ArrayDeque<>();
  private long changed;
  private int workers;
  private int prefetch;

  /** The figures of the epochs that are over. */
  private final EpochFigures before = new EpochFigures();

  /** Those of the consumer's epoch; null before the first. */
  private @Nullable EpochFigures epoch;

  private long epochNumber;

  /** Null before the first epoch. */
  private MachineLoad.@Nullable Measurement machine;

  private final Deque<EpochStats> earlier = new ArrayDeque<>();
  private final Deque<Stall> recent = new ArrayDeque<>();
  private final RunLog log = new RunLog();

  public LoaderCounters(Stages stages) {
    this.stages = stages;
  }

  @Override
  public void epochBegins(long number, long now) {
    if (epoch != null) {
      before.add(epoch);
      earlier.add(epochStats());
    }
    earlier.removeIf(stats -> stats.epoch().orElse(-1) == number);
    if (earlier.size() > EPOCHS_KEPT) {
      earlier.remove();
    }
    epoch = new EpochFigures(now);
    if (machine == null) {
      machine = MachineLoad.ofJvm().begin();
    }
    epochNumber = number;
    log.begin(now);
  }

  @Override
  public void stalled(Stall stall) {
    if (recent.size() == STALLS_KEPT) {
      recent.remove();
    }
    recent.add(stall);
    epoch.stalled(stall);
    log.stalled(stall);
  }

  /** So many workers work from here on, and prepare so many batches ahead. */
  public void setting(int newWorkers, int newPrefetch) {
    workers = newWorkers;
    prefetch = newPrefetch;
  }

  /** Workers or prefetch have been changed. */
  public void changed(LoaderStats.Tuning.Change change) {
    changed++;
    if (changes.size() == CHANGES_KEPT) {
      changes.remove();
    }
    changes.add(change);
  }

  @Override
  public void idle(EpochFigures.Idle reason, long nanos) {
    (epoch == null ? before : epoch).idle(reason, nanos);
  }

  @Override
  public void taken(FinishedBatch batch, BatchTaken taken) {
    epoch.enter(batch, taken);
    log.enter(batch, taken);
  }

  /**
   * Returns the figures.
   *
   * @param tolerated samples that failed and were tolerated, those of loaders whose state was
   *     resumed included
   * @param ready batches that are finished and not yet taken
   * @param open batches that are taken and not yet closed
   * @param hostBytes memory that the slots have
   */
  public LoaderStats stats(long tolerated, int ready, int open, long hostBytes) {
    List<EpochStats> epochs = new ArrayList<>(earlier);
    if (epoch != null) {
      epochs.add(epochStats());
    }
    return new LoaderStats(
        totalStats(total(), tolerated), List.copyOf(epochs), ready, open, hostBytes, tuning());
  }

  private LoaderStats.Tuning tuning() {
    return new LoaderStats.Tuning(workers, prefetch, changed, List.copyOf(changes));
  }

  /** Returns how a service level has been kept. */
  public ServiceLevel.Report report(ServiceLevel level) {
    EpochFigures total = total();
    return total.report(level, totalStats(total, 0));
  }

  /**
   * Returns the figures of a run.
   *
   * @param level what was asked of the loader; null: batches within the time that the consumer has
   *     worked on one, on average
   * @param stats the loader's figures
   * @param workers the loader's threads, by id
   */
  public RunFigures run(@Nullable ServiceLevel level, LoaderStats stats, long[] workers) {
    EpochFigures total = total();
    ServiceLevel asked = level == null ? log.ownLevel(stats.samples(), stats.batches()) : level;
    return new RunFigures(
        stats,
        total.waitBins(),
        asked == null ? null : total.report(asked, stats.total()),
        level == null,
        log.spans(),
        log.longestStalls(),
        machine == null ? null : machine.until(workers));
  }

  private EpochFigures total() {
    EpochFigures total = new EpochFigures();
    total.add(before);
    if (epoch != null) {
      total.add(epoch);
    }
    return total;
  }

  private EpochStats totalStats(EpochFigures total, long tolerated) {
    return total.stats(OptionalLong.empty(), tolerated, recent, stages, workers);
  }

  private EpochStats epochStats() {
    return epoch.stats(OptionalLong.of(epochNumber), epoch.tolerated(), recent, stages, workers);
  }
}
