package io.feedline.stats.internal;

import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The log of a loader's life, step by step: the consumer's wait for each batch, its work on the
 * batch, and the ready batches and used slots at that time; also the longest stalls of each cause.
 *
 * <p>Its memory is bounded. At {@value #MOST_SPANS} spans, each two neighbors become one span,
 * which keeps sums and extremes: a single long wait among a million stays visible.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class RunLog {

  /** The largest number of spans; even, so that no span is left when neighbors are joined. */
  static final int MOST_SPANS = 1024;

  public static final int STALLS_KEPT = 8;

  private static final Comparator<Stall> BY_WAIT = Comparator.comparing(Stall::waited);

  private List<Span> spans = new ArrayList<>();
  private final Map<Stalls.Cause, PriorityQueue<Stall>> longest = new EnumMap<>(Stalls.Cause.class);
  private int stepsPerSpan = 1;

  private long steps;
  private long origin;

  private boolean begun;

  /** The time at which the consumer took the batch that it works on. */
  private long takenAt;

  /** True while the consumer works on a step of the current epoch. */
  private boolean working;

  /** The nanoseconds of work per row of the last measured batch. */
  private double workPerRow;

  // The figures that are added over the steps of a span; times are in nanoseconds.
  private static final int STEPS = 0;
  private static final int SAMPLES = 1;
  private static final int WAITED = 2;

  /** The time from taking a batch to asking for the next batch of its epoch. */
  private static final int WORKED = 3;

  /** The number of steps, without the last step of each epoch. */
  private static final int WORKED_STEPS = 4;

  private static final int WORK = 5;

  private static final int READY = 6;
  private static final int SLOTS_IN_USE = 7;
  private static final int SUMS = 8;

  private static final class Span {
    final long first;

    /** The time of the request for the span's first batch, in nanoseconds since the first epoch. */
    final long at;

    final long[] sums = new long[SUMS];
    long mostWaited;
    long mostWaitedEpoch;

    long mostWaitedBatch;

    Span(long first, long at) {
      this.first = first;
      this.at = at;
    }

    void waited(long nanos, long epoch, long batch) {
      if (nanos >= mostWaited) {
        mostWaited = nanos;
        mostWaitedEpoch = epoch;
        mostWaitedBatch = batch;
      }
    }

    void add(Span next) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += next.sums[i];
      }
      waited(next.mostWaited, next.mostWaitedEpoch, next.mostWaitedBatch);
    }
  }

  void begin(long now) {
    if (!begun) {
      begun = true;
      origin = now;
    }
    working = false;
  }

  void enter(FinishedBatch batch, BatchTaken taken) {
    long came = taken.at() - taken.waited();
    if (working) {
      last().sums[WORKED] += Math.max(0, came - takenAt);
      last().sums[WORKED_STEPS] += 1;
    }
    if (spans.isEmpty() || last().sums[STEPS] == stepsPerSpan) {
      if (spans.size() == MOST_SPANS) {
        joinNeighbors();
      }
      spans.add(new Span(steps, came - origin));
    }
    Span span = last();
    span.sums[STEPS] += 1;
    span.sums[SAMPLES] += batch.samples();
    span.sums[WAITED] += taken.waited();
    span.sums[WORK] += work(batch);
    span.sums[READY] += taken.ready();
    span.sums[SLOTS_IN_USE] += taken.slotsInUse();
    span.waited(taken.waited(), batch.epoch(), batch.number());
    steps++;
    takenAt = taken.at();
    working = true;
  }

  /** Returns the time of the stages, estimated by the last measured batch if unmeasured. */
  private long work(FinishedBatch batch) {
    if (batch.times().measured() && batch.claimed() > 0) {
      workPerRow = (double) BatchTimes.total(batch.times().elapsed()) / batch.claimed();
    }
    return Math.round(workPerRow * batch.claimed());
  }

  private Span last() {
    return spans.get(spans.size() - 1);
  }

  private void joinNeighbors() {
    List<Span> joined = new ArrayList<>();
    for (int i = 0; i < spans.size(); i += 2) {
      Span span = spans.get(i);
      span.add(spans.get(i + 1));
      joined.add(span);
    }
    spans = joined;
    stepsPerSpan *= 2;
  }

  void stalled(Stall stall) {
    PriorityQueue<Stall> ofCause =
        longest.computeIfAbsent(stall.cause(), cause -> new PriorityQueue<>(BY_WAIT));
    ofCause.add(stall);
    if (ofCause.size() > STALLS_KEPT) {
      ofCause.remove();
    }
  }

  List<Stall> longestStalls() {
    return longest.values().stream()
        .flatMap(PriorityQueue::stream)
        .sorted(BY_WAIT.reversed())
        .toList();
  }

  Map<String, Object> steps() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("first", longs(span -> span.first));
    json.put("count", longs(span -> span.sums[STEPS]));
    json.put("at_seconds", times(span -> span.at));
    json.put("samples", longs(span -> span.sums[SAMPLES]));
    json.put("waited_seconds", times(span -> span.sums[WAITED]));
    json.put("waited_max_seconds", times(span -> span.mostWaited));
    json.put("waited_max_epoch", longs(span -> span.mostWaitedEpoch));
    json.put("waited_max_batch", longs(span -> span.mostWaitedBatch));
    json.put("compute_count", longs(span -> span.sums[WORKED_STEPS]));
    json.put("compute_seconds", times(span -> span.sums[WORKED]));
    json.put("work_seconds", times(span -> span.sums[WORK]));
    json.put("ready_mean", means(READY));
    json.put("slots_mean", means(SLOTS_IN_USE));
    return json;
  }

  private List<Long> longs(ToLongFunction<Span> value) {
    return spans.stream().map(value::applyAsLong).toList();
  }

  private List<Double> times(ToLongFunction<Span> nanos) {
    return rounded(span -> nanos.applyAsLong(span) / 1e9);
  }

  private List<Double> means(int sum) {
    return rounded(span -> (double) span.sums[sum] / span.sums[STEPS]);
  }

  /** Returns values rounded to six decimals, since the text has thousands of values. */
  private List<Double> rounded(ToDoubleFunction<Span> value) {
    return spans.stream().map(span -> Math.round(1e6 * value.applyAsDouble(span)) / 1e6).toList();
  }

  /**
   * Returns the level of the consumer's own pace: batches of the average size, each within its mean
   * time for a batch; null before the consumer has worked on a batch.
   */
  @Nullable ServiceLevel ownLevel(long samples, long batches) {
    long worked = spans.stream().mapToLong(span -> span.sums[WORKED]).sum();
    long workedSteps = spans.stream().mapToLong(span -> span.sums[WORKED_STEPS]).sum();
    if (workedSteps == 0 || worked < workedSteps || batches == 0 || samples < batches) {
      return null;
    }
    return ServiceLevel.of(
        (int) Math.round((double) samples / batches), Duration.ofNanos(worked / workedSteps));
  }
}
