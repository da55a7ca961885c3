package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

public final class EpochFigures {

  public enum Idle {
    /** No batch may be begun before the consumer takes or closes a batch. */
    ROOM,
    EPOCH
  }

  private final LatencyHistogram waits = new LatencyHistogram();

  /**
   * The times from taking one batch to the arrival of the next batch; if the next batch was
   * complete already, only the wait for the engine's lock.
   */
  private final LatencyHistogram gaps = new LatencyHistogram();

  private final StageTimes stages = new StageTimes();
  private final Map<Stalls.Cause, Stalls.Sum> stalls = new EnumMap<>(Stalls.Cause.class);
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
  private long elapsedBefore;
  private long workerTime;

  /** The number of workers at the last batch; negative before the first batch. */
  private int workers = -1;

  /** The number of times that the workers waiting for locks were counted. */
  private long looks;

  /** The sum, over these counts, of the share of workers that waited. */
  private double contention;

  private long slots;
  private long prefetch;
  private long slotsInUse;
  private long ready;
  private long arrivals;

  EpochFigures() {}

  EpochFigures(long now) {
    begunAt = now;
    lastAt = now;
  }

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

  void stalled(Stall stall) {
    stalls.merge(stall.cause(), new Stalls.Sum(1, stall.waited()), Stalls.Sum::plus);
  }

  ServiceLevel.Report report(ServiceLevel level, Bottleneck bottleneck) {
    long inTime = gaps.countUpTo(level.stepTime().toNanos());
    return ServiceLevel.Report.of(level, gaps.count(), inTime, bottleneck);
  }

  Map<String, Object> waitsHistogram() {
    List<LatencyHistogram.Bin> bins = waits.bins();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("up_to_seconds", bins.stream().map(bin -> seconds(bin.upTo())).toList());
    json.put("count", bins.stream().map(LatencyHistogram.Bin::count).toList());
    return json;
  }

  void idle(Idle reason, long nanos) {
    idle.merge(reason, nanos, Long::sum);
  }

  long tolerated() {
    return tolerated;
  }

  /**
   * @param toleratedInAll the tolerated samples, including failures of the loaders whose state was
   *     resumed
   * @param recent the last stalls of the loader
   */
  LoaderStats.Epoch stats(
      OptionalLong epoch,
      long toleratedInAll,
      Collection<Stall> recent,
      Stages names,
      int workersNow) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("epoch", epoch.isPresent() ? epoch.getAsLong() : null);
    json.put("batches", batches);
    json.put("samples", samples);
    json.put("failures", failures);
    json.put("tolerated", toleratedInAll);
    json.put("bytes_read", bytesRead);
    json.put("elapsed_seconds", seconds(elapsed()));
    json.put("waits", waits());
    json.put("stages", stages.json(names));
    json.put("workers", (long) (workers < 0 ? workersNow : workers));
    json.put(
        "workers_occupancy",
        workerTime == 0 ? 0 : Math.min(1, (double) stages.total() / workerTime));
    json.put("workers_waited_for_room_seconds", seconds(idle.getOrDefault(Idle.ROOM, 0L)));
    json.put("workers_waited_for_epoch_seconds", seconds(idle.getOrDefault(Idle.EPOCH, 0L)));
    json.put("workers_waited_to_read_seconds", seconds(waitedToRead));
    json.put("workers_contention", looks == 0 ? 0 : contention / looks);
    json.put("slots_in_use", share(slotsInUse, slots));
    json.put("readiness", share(ready, prefetch));
    Map<Stalls.Cause, Stalls.Sum> sums = new EnumMap<>(Stalls.Cause.class);
    sums.putAll(stalls);
    Stalls byCause =
        new Stalls(
            Collections.unmodifiableMap(sums),
            recent.stream()
                .filter(stall -> epoch.isEmpty() || epoch.getAsLong() == stall.epoch())
                .toList());
    json.put("stalls", byCause.figures());
    return new LoaderStats.Epoch(json, byCause);
  }

  private Map<String, Object> waits() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", waits.count());
    json.put("total_seconds", seconds(waited));
    json.put("p50_seconds", seconds(waits.quantile(0.5)));
    json.put("p90_seconds", seconds(waits.quantile(0.9)));
    json.put("p99_seconds", seconds(waits.quantile(0.99)));
    json.put("p999_seconds", seconds(waits.quantile(0.999)));
    json.put("max_seconds", seconds(waits.max()));
    return json;
  }

  static double seconds(long nanos) {
    return nanos / 1e9;
  }

  static double seconds(Duration time) {
    return seconds(time.toNanos());
  }

  private static double share(long found, long most) {
    return most == 0 ? 0 : (double) found / most;
  }
}
