package io.feedline.stats.internal;

import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import io.feedline.stats.EpochStats;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The sums behind an {@link EpochStats}. Not thread-safe: under the engine's lock. */
public final class EpochFigures {

  /** The part of their time that workers wait for a consumer which is slower. */
  private static final double MOSTLY = 0.5;

  /** The largest share of its time that a consumer which is the slower side waits. */
  private static final double HARDLY = 0.05;

  /** The reason why a worker is idle. */
  public enum Idle {
    /** No batch may be begun before the consumer takes or closes one. */
    ROOM,
    /** There is no epoch with samples left to begin. */
    EPOCH
  }

  private final LatencyHistogram waits = new LatencyHistogram();

  /**
   * From one batch that was taken to the next that came; where that was there already, the wait for
   * the engine's lock alone.
   */
  private final LatencyHistogram gaps = new LatencyHistogram();

  private final StageTimes stages = new StageTimes();
  private final Map<Stall.Cause, Stalls.Sum> stalls = new EnumMap<>(Stall.Cause.class);
  private final Map<Idle, Long> idle = new EnumMap<>(Idle.class);
  private long batches;
  private long samples;
  private long failures;
  private long tolerated;
  private long bytesRead;
  private long waited;
  private long waitedToRead;
  private long begunAt;
  private long lastAt;

  /** The time of the epochs that were added. */
  private long elapsedBefore;

  /** The time that the workers could have worked. */
  private long workerTime;

  /** The number of workers at the last batch; negative: no batch yet. */
  private int workers = -1;

  /** The looks at the workers' locks, and the sum of the shares that were seen waiting for one. */
  private long looks;

  private double contention;

  private long slots;
  private long prefetch;
  private long slotsInUse;
  private long ready;
  private long arrivals;

  /** Figures of epochs that are added. */
  EpochFigures() {}

  /** Figures of an epoch that begins now. */
  EpochFigures(long now) {
    begunAt = now;
    lastAt = now;
  }

  /** Adds the figures of an epoch, or of several. */
  void add(EpochFigures other) {
    waits.add(other.waits);
    gaps.add(other.gaps);
    stages.add(other.stages);
    other.idle.forEach(this::idle);
    other.stalls.forEach((cause, sum) -> stalls.merge(cause, sum, Stalls.Sum::plus));
    batches += other.batches;
    samples += other.samples;
    failures += other.failures;
    tolerated += other.tolerated;
    bytesRead += other.bytesRead;
    waited += other.waited;
    waitedToRead += other.waitedToRead;
    elapsedBefore += other.elapsed();
    workerTime += other.workerTime;
    workers = other.workers < 0 ? workers : other.workers;
    looks += other.looks;
    contention += other.contention;
    slots += other.slots;
    prefetch += other.prefetch;
    slotsInUse += other.slotsInUse;
    ready += other.ready;
    arrivals += other.arrivals;
  }

  private long elapsed() {
    return elapsedBefore + lastAt - begunAt;
  }

  /** The consumer takes a batch. */
  void enter(FinishedBatch batch, BatchTaken taken) {
    waits.record(taken.waited());
    if (arrivals > 0) {
      gaps.record(taken.there() ? taken.waited() : taken.at() - lastAt);
    }
    waited += taken.waited();
    tolerated += batch.tolerated();
    failures += batch.failed() ? 1 : 0;
    batches += batch.samples() > 0 ? 1 : 0;
    samples += batch.samples();
    bytesRead += batch.times().bytes();
    waitedToRead += batch.times().waitedToRead();
    stages.add(batch);
    workers = taken.workers();
    workerTime += (taken.at() - lastAt) * Math.max(1, workers);
    if (taken.contending() >= 0) {
      looks++;
      contention += Math.min(1, (double) taken.contending() / Math.max(1, workers));
    }
    slots += taken.slots();
    prefetch += taken.prefetch();
    lastAt = taken.at();
    slotsInUse += taken.slotsInUse();
    ready += taken.ready();
    arrivals++;
  }

  /** The consumer had to wait for a batch. */
  void stalled(Stall stall) {
    stalls.merge(stall.cause(), new Stalls.Sum(1, stall.waited()), Stalls.Sum::plus);
  }

  /** Returns how a service level is kept, and the figures of the same batches say why not. */
  ServiceLevel.Report report(ServiceLevel level, EpochStats stats) {
    long count = gaps.count();
    long inTime = gaps.countUpTo(level.stepTime().toNanos());
    return new ServiceLevel.Report(
        level, count, inTime, inTime == count ? room(stats) : blame(stats));
  }

  /** Returns whether the consumer is the limit, for levels that were in time. */
  private static String room(EpochStats stats) {
    EpochStats.Workers workers = stats.workers();
    double all = (double) stats.elapsed().toNanos() * Math.max(1, workers.count());
    boolean hardlyWaits =
        stats.waits().total().toNanos() <= HARDLY * (double) stats.elapsed().toNanos();
    return hardlyWaits && workers.waitedForRoom().toNanos() > MOSTLY * all
        ? "the consumer is slower, and workers waited %s of %s for it"
            .formatted(
                Durations.words(workers.waitedForRoom()),
                Durations.words(Duration.ofNanos((long) all)))
        : "";
  }

  private static String blame(EpochStats stats) {
    Map<Stall.Cause, Stalls.Sum> later = new EnumMap<>(Stall.Cause.class);
    later.putAll(stats.stalls().byCause());
    later.remove(Stall.Cause.START_UP);
    Stalls stalls = new Stalls(later, List.of());
    if (stalls.worst().isPresent()) {
      Stall.Cause worst = stalls.worst().get();
      String stage =
          worst == Stall.Cause.TRANSFORM
              ? stats.stalls().recent().stream()
                  .filter(stall -> stall.cause() == worst)
                  .reduce((earlier, last) -> last)
                  .map(stall -> " (of late '" + stall.stage() + "')")
                  .orElse("")
              : "";
      return "the main cause of stalls was %s%s, %s of %s"
          .formatted(
              worst,
              stage,
              Durations.words(stalls.of(worst).waited()),
              Durations.words(stalls.total().waited()));
    }
    return stats.stages().stream()
        .max(Comparator.comparing(EpochStats.Stage::elapsed))
        .map(
            most ->
                "no batch was waited for long, and %s took most of the workers' time, %s"
                    .formatted(most.name(), Durations.words(most.elapsed())))
        .orElse("no batch was waited for long, and no stage was measured");
  }

  /** Returns how many waits there were of which length. */
  List<LatencyHistogram.Bin> waitBins() {
    return waits.bins();
  }

  /** A worker had nothing to do. */
  void idle(Idle reason, long nanos) {
    idle.merge(reason, nanos, Long::sum);
  }

  long tolerated() {
    return tolerated;
  }

  /**
   * Returns the figures.
   *
   * @param toleratedInAll those of loaders whose state was resumed included
   * @param recent the last stalls of the loader
   * @param workersNow how many workers there are
   */
  EpochStats stats(
      OptionalLong epoch,
      long toleratedInAll,
      Collection<Stall> recent,
      Stages names,
      int workersNow) {
    return new EpochStats(
        epoch,
        batches,
        samples,
        failures,
        toleratedInAll,
        bytesRead,
        Duration.ofNanos(elapsed()),
        new EpochStats.Waits(
            waits.count(),
            Duration.ofNanos(waited),
            waits.quantile(0.5),
            waits.quantile(0.9),
            waits.quantile(0.99),
            waits.quantile(0.999),
            waits.max()),
        stages.stats(names),
        new EpochStats.Workers(
            workers < 0 ? workersNow : workers,
            workerTime == 0 ? 0 : Math.min(1, (double) stages.total() / workerTime),
            Duration.ofNanos(idle.getOrDefault(Idle.ROOM, 0L)),
            Duration.ofNanos(idle.getOrDefault(Idle.EPOCH, 0L)),
            Duration.ofNanos(waitedToRead),
            looks == 0 ? 0 : contention / looks),
        share(slotsInUse, slots),
        share(ready, prefetch),
        new Stalls(
            Collections.unmodifiableMap(byCause()),
            recent.stream()
                .filter(stall -> epoch.isEmpty() || epoch.getAsLong() == stall.epoch())
                .toList()));
  }

  /** The mean share of what there may be that the consumer found when it came. */
  private static double share(long found, long most) {
    return most == 0 ? 0 : (double) found / most;
  }

  private Map<Stall.Cause, Stalls.Sum> byCause() {
    Map<Stall.Cause, Stalls.Sum> copy = new EnumMap<>(Stall.Cause.class);
    copy.putAll(stalls);
    return copy;
  }
}
