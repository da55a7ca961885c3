package io.feedline;

import io.feedline.stats.LoaderStats;
import io.feedline.stats.internal.BatchTaken;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.LoaderCounters;
import io.feedline.stats.internal.StallJudge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of active workers, and of batches that they prepare ahead. A {@link Tuner} may change
 * both when the consumer takes a batch, by the consumer's wait and the time for which workers had
 * no room. This class hands each change on.
 *
 * <p>Not thread-safe: under the engine's lock, but for {@link #logChange}.
 */
final class Tuning {

  private static final Logger LOG = LoggerFactory.getLogger(Tuning.class);

  private final String name;

  /** Null: nothing changes. */
  private final Tuner tuner;

  private final StallJudge judge;
  private final LoaderCounters counters;
  private int workers;
  private int prefetch;

  /** True if the consumer has taken no batch since it turned to its epoch. */
  private boolean firstOfEpoch;

  /** Workers that have no room now, since when, and how long there were any before. */
  private int idle;

  private long idleSince;
  private long idleNanos;

  /** The change that has not been logged; only the consumer's thread writes it. */
  private LoaderStats.Tuning.Change unlogged;

  /**
   * Creates the setting of the options, or the tuner's first setting.
   *
   * @param tuner null: nothing changes
   */
  Tuning(LoaderOptions<?> options, Tuner tuner, StallJudge judge, LoaderCounters counters) {
    this.name = options.name();
    this.tuner = tuner;
    this.judge = judge;
    this.counters = counters;
    set(
        tuner == null
            ? new Tuner.Setting(options.numWorkers(), options.prefetch(), "")
            : tuner.first());
  }

  /** Returns how many workers are active: the workers with lower numbers. */
  int workers() {
    return workers;
  }

  /** Returns how many batches are prepared ahead. */
  int prefetch() {
    return prefetch;
  }

  /** The consumer turns to an epoch. */
  void beginEpoch() {
    firstOfEpoch = true;
  }

  /** A worker has no room from now on. */
  void rest(long now) {
    countIdle(1, now);
  }

  /** A worker that had no room continues. */
  void resume(long now) {
    countIdle(-1, now);
  }

  private void countIdle(int more, long now) {
    idleNanos += idle * (now - idleSince);
    idleSince = now;
    idle += more;
  }

  /**
   * The consumer takes a batch.
   *
   * @param inFlight how many later batches are in production
   * @param ready the number of these batches that are done
   * @param slotBytes the bytes of the largest batch; 0 if unknown
   * @return whether the setting has changed
   */
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

  /**
   * Limits the number of workers to the threads that could be started.
   *
   * @throws OutOfMemoryError the given error, if no worker has started or the loader does not tune
   *     itself
   */
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
    judge.setting(workers, prefetch);
    counters.setting(workers, prefetch);
  }

  /** Logs a change, without the lock; by the consumer's thread. */
  void logChange() {
    LoaderStats.Tuning.Change change = unlogged;
    unlogged = null;
    if (change != null) {
      LOG.debug("{}: {}", name, change);
    }
  }
}
