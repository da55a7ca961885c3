package io.feedline;

import io.feedline.stats.LoaderStats;
import io.feedline.stats.internal.BatchTaken;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.LoaderCounters;
import io.feedline.stats.internal.StallDetector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of active workers, and of batches that they prepare ahead. A {@link Tuner} may change
 * both when the consumer takes a batch, by the time that the consumer waited and the time for which
 * workers had no room. This class passes each change on.
 *
 * <p>Not thread-safe: the engine's lock guards all but {@link #logChange}.
 */
final class Tuning {

  private static final Logger LOG = LoggerFactory.getLogger(Tuning.class);

  private final String name;

  /** The tuner; null if nothing changes. */
  private final Tuner tuner;

  private final StallDetector detector;
  private final LoaderCounters counters;
  private int workers;
  private int prefetch;

  private boolean firstOfEpoch;

  /** The number of workers that have no room now. */
  private int idle;

  private long idleSince;
  private long idleNanos;

  /** The change that has not been logged; only the consumer's thread writes it. */
  private LoaderStats.Tuning.Change unlogged;

  /** Creates the setting of the options, which without a tuner never changes. */
  Tuning(LoaderOptions<?> options, Tuner tuner, StallDetector detector, LoaderCounters counters) {
    this.name = options.name();
    this.tuner = tuner;
    this.detector = detector;
    this.counters = counters;
    set(
        tuner == null
            ? new Tuner.Setting(options.numWorkers(), options.prefetch(), "")
            : tuner.first());
  }

  int workers() {
    return workers;
  }

  int prefetch() {
    return prefetch;
  }

  void beginEpoch() {
    firstOfEpoch = true;
  }

  void rest(long now) {
    countIdle(1, now);
  }

  void resume(long now) {
    countIdle(-1, now);
  }

  private void countIdle(int more, long now) {
    idleNanos += idle * (now - idleSince);
    idleSince = now;
    idle += more;
  }

  /** Notes that the consumer takes a batch; returns whether the setting has changed. */
  boolean taken(FinishedBatch batch, BatchTaken taken, int inFlight, int ready, long slotBytes) {
    boolean first = firstOfEpoch;
    firstOfEpoch = false;
    if (tuner == null) {
      return false;
    }
    countIdle(0, taken.at());
    Tuner.Setting setting =
        tuner.taken(
            new Tuner.Take(
                taken.at(),
                taken.waited(),
                batch.claimed(),
                idleNanos,
                inFlight,
                ready,
                slotBytes,
                first));
    if (setting == null) {
      return false;
    }
    set(setting);
    unlogged =
        new LoaderStats.Tuning.Change(
            batch.epoch(), batch.number(), workers, prefetch, setting.reason());
    counters.changed(unlogged);
    return true;
  }

  void limit(int started, OutOfMemoryError noThread) {
    if (tuner == null || started == 0) {
      throw noThread;
    }
    LOG.warn(
        "{} wants {} workers and has {}: the system gives no more threads",
        name,
        workers,
        started,
        noThread);
    tuner.limit(started);
    set(new Tuner.Setting(started, prefetch, "the system gives no more threads"));
  }

  private void set(Tuner.Setting setting) {
    workers = setting.workers();
    prefetch = setting.prefetch();
    detector.setting(workers, prefetch);
    counters.setting(workers, prefetch);
  }

  /** Logs a change; called without the lock, by the consumer's thread. */
  void logChange() {
    LoaderStats.Tuning.Change change = unlogged;
    unlogged = null;
    if (change != null) {
      LOG.debug("{}: {}", name, change);
    }
  }
}
