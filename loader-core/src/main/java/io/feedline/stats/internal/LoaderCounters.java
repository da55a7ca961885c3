package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a loader's delivered batches, its consumer's waits, and its workers' time: the
 * figures of {@link LoaderStats} and of a {@link RunRecord}.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class LoaderCounters {

  private static final int EPOCHS_KEPT = 16;
  private static final int STALLS_KEPT = 32;
  private static final int CHANGES_KEPT = 32;

  private final Stages stages;
  private final Deque<LoaderStats.Tuning.Change> changes = new ArrayDeque<>();
  private long changed;
  private int workers;
  private int prefetch;
  private final EpochFigures before = new EpochFigures();
  private @Nullable EpochFigures epoch;

  private long epochNumber;
  private MachineLoad.@Nullable Measurement machine;

  private final Deque<LoaderStats.Epoch> earlier = new ArrayDeque<>();
  private final Deque<Stall> recent = new ArrayDeque<>();
  private final RunLog log = new RunLog();

  public LoaderCounters(Stages stages) {
    this.stages = stages;
  }

  public void epochBegins(long number, long now) {
    if (epoch != null) {
      before.add(epoch);
      earlier.add(underWay());
    }
    earlier.removeIf(each -> each.epoch().getAsLong() == number);
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

  public void stalled(Stall stall) {
    if (recent.size() == STALLS_KEPT) {
      recent.remove();
    }
    recent.add(stall);
    epoch.stalled(stall);
    log.stalled(stall);
  }

  public void setting(int newWorkers, int newPrefetch) {
    workers = newWorkers;
    prefetch = newPrefetch;
  }

  public void changed(LoaderStats.Tuning.Change change) {
    changed++;
    if (changes.size() == CHANGES_KEPT) {
      changes.remove();
    }
    changes.add(change);
  }

  public void idle(EpochFigures.Idle reason, long nanos) {
    (epoch == null ? before : epoch).idle(reason, nanos);
  }

  public void taken(FinishedBatch batch, BatchTaken taken) {
    epoch.enter(batch, taken);
    log.enter(batch, taken);
  }

  /**
   * Returns the figures so far.
   *
   * @param tolerated the tolerated samples, including failures of the loaders whose state was
   *     resumed
   */
  public LoaderStats stats(long tolerated, int ready, int open, long hostBytes) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batches_ready", (long) ready);
    json.put("batches_open", (long) open);
    json.put("host_bytes", hostBytes);
    return new LoaderStats(totalStats(total(), tolerated), epochs(), tuning(), json);
  }

  private List<LoaderStats.Epoch> epochs() {
    List<LoaderStats.Epoch> epochs = new ArrayList<>(earlier);
    if (epoch != null) {
      epochs.add(underWay());
    }
    return epochs;
  }

  private LoaderStats.Tuning tuning() {
    return new LoaderStats.Tuning(workers, prefetch, changed, List.copyOf(changes));
  }

  /**
   * Returns a new record of the run up to now.
   *
   * @param level the level to report on; null: the step time is the consumer's mean time for a
   *     batch
   */
  public RunRecord record(RunCircumstances run, @Nullable ServiceLevel level) {
    EpochFigures total = total();
    Map<String, Object> json =
        run.json(tuning(), machine == null ? null : machine.until(run.workers()));
    LoaderStats.Epoch stats = totalStats(total, run.tolerated());
    json.put("total", stats.figures());
    json.put("epochs", epochs().stream().map(LoaderStats.Epoch::figures).toList());
    json.put("waits_histogram", total.waitsHistogram());
    json.put("stalls", stalls(stats.stalls(), run.stallThreshold()));
    json.put("steps", log.steps());
    json.put("service_level", null);
    RunRecord record = RunRecord.of(json);
    ServiceLevel asked =
        level == null ? log.ownLevel(record.total().samples(), record.total().batches()) : level;
    if (asked == null) {
      return record;
    }
    json.put("service_level", level(total, asked, level == null, record.bottleneck()));
    return RunRecord.of(json);
  }

  private static Map<String, Object> level(
      EpochFigures total, ServiceLevel asked, boolean measured, Bottleneck bottleneck) {
    ServiceLevel.Report report = total.report(asked, bottleneck);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", (long) asked.batchSize());
    json.put("step_seconds", EpochFigures.seconds(asked.stepTime()));
    json.put("step_measured", measured);
    json.put("batches", report.batches());
    json.put("in_time", report.inTime());
    json.put("kept", report.kept());
    json.put("blame", report.blame());
    json.put("verdict", report.toString());
    return json;
  }

  private Map<String, Object> stalls(Stalls stalls, Duration threshold) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("threshold_seconds", EpochFigures.seconds(threshold));
    json.put("by_cause", stalls.figures());
    json.put("longest", log.longestStalls().stream().map(Stall::figures).toList());
    return json;
  }

  private EpochFigures total() {
    EpochFigures total = new EpochFigures();
    total.add(before);
    if (epoch != null) {
      total.add(epoch);
    }
    return total;
  }

  private LoaderStats.Epoch totalStats(EpochFigures total, long tolerated) {
    return total.stats(OptionalLong.empty(), tolerated, recent, stages, workers);
  }

  private LoaderStats.Epoch underWay() {
    return epoch.stats(OptionalLong.of(epochNumber), epoch.tolerated(), recent, stages, workers);
  }
}
