package io.feedline.stats.internal;

import io.feedline.stats.ServiceLevel;
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
 * The log of a loader's life, step by step: the consumer's wait for each batch, its work on it, and
 * the batches and slots that it found; and the longest stalls of each cause.
 *
 * <p>Its memory is bounded. At {@value #MOST_SPANS} spans, each two neighbors become one span,
 * which keeps sums and extremes: a single long wait among a million stays visible.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class RunLog {

  /** An even number, so that no span is left when neighbors are joined. */
  static final int MOST_SPANS = 1024;

  /** The number of stalls of each cause that are kept. */
  public static final int STALLS_KEPT = 8;

  private static final Comparator<Stall> BY_WAIT = Comparator.comparing(Stall::waited);

  private List<Span> spans = new ArrayList<>();
  private final Map<Stall.Cause, PriorityQueue<Stall>> longest = new EnumMap<>(Stall.Cause.class);

  /** The number of steps in a full span. */
  private int stepsPerSpan = 1;

  private long steps;

  /** When the first epoch was begun. */
  private long origin;

  private boolean begun;

  /** When the consumer took the batch that it works on. */
  private long takenAt;

  /** True while it works on a step of the current epoch. */
  private boolean working;

  /** The time of the stages for a row of the last measured batch. */
  private double workPerRow;

  /** One step, or several one after the other. All times are in nanoseconds. */
  static final class Span {
    /** The number of the first step, from 0 on. */
    final long first;

    /** When the consumer came for its batch, since the first epoch was begun. */
    final long at;

    /** The number of steps. */
    long steps;

    long samples;
    long waited;
    long mostWaited;

    /** The epoch and the batch that was waited for longest. */
    long mostWaitedEpoch;

    long mostWaitedBatch;

    /**
     * The time that the consumer worked between a batch and its call for the next batch of the
     * epoch.
     */
    long worked;

    long mostWorked;

    /** The number of steps whose work is known: the work of an epoch's last step is not. */
    long workedSteps;

    /** The time of the workers' stages for these batches. */
    long work;

    long ready;
    long leastReady = Long.MAX_VALUE;
    long slotsInUse;
    long mostSlotsInUse;

    Span(long first, long at) {
      this.first = first;
      this.at = at;
    }

    private void add(FinishedBatch batch, BatchTaken taken, long batchWork) {
      steps++;
      samples += batch.samples();
      waited += taken.waited();
      if (taken.waited() >= mostWaited) {
        mostWaited = taken.waited();
        mostWaitedEpoch = batch.epoch();
        mostWaitedBatch = batch.number();
      }
      work += batchWork;
      ready += taken.ready();
      leastReady = Math.min(leastReady, taken.ready());
      slotsInUse += taken.slotsInUse();
      mostSlotsInUse = Math.max(mostSlotsInUse, taken.slotsInUse());
    }

    private void addWork(long nanos) {
      worked += nanos;
      mostWorked = Math.max(mostWorked, nanos);
      workedSteps++;
    }

    private void add(Span next) {
      steps += next.steps;
      samples += next.samples;
      waited += next.waited;
      if (next.mostWaited >= mostWaited) {
        mostWaited = next.mostWaited;
        mostWaitedEpoch = next.mostWaitedEpoch;
        mostWaitedBatch = next.mostWaitedBatch;
      }
      worked += next.worked;
      mostWorked = Math.max(mostWorked, next.mostWorked);
      workedSteps += next.workedSteps;
      work += next.work;
      ready += next.ready;
      leastReady = Math.min(leastReady, next.leastReady);
      slotsInUse += next.slotsInUse;
      mostSlotsInUse = Math.max(mostSlotsInUse, next.mostSlotsInUse);
    }
  }

  /** The consumer turns to an epoch. */
  void begin(long now) {
    if (!begun) {
      begun = true;
      origin = now;
    }
    working = false;
  }

  /** The consumer takes a batch. */
  void enter(FinishedBatch batch, BatchTaken taken) {
    long came = taken.at() - taken.waited();
    if (working) {
      last().addWork(Math.max(0, came - takenAt));
    }
    if (spans.isEmpty() || last().steps == stepsPerSpan) {
      if (spans.size() == MOST_SPANS) {
        joinNeighbors();
      }
      spans.add(new Span(steps, came - origin));
    }
    last().add(batch, taken, work(batch));
    steps++;
    takenAt = taken.at();
    working = true;
  }

  /**
   * Returns the time of the stages; for a batch that was not measured, the time of the last
   * measured batch.
   */
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

  /** The consumer had to wait for a batch. */
  void stalled(Stall stall) {
    PriorityQueue<Stall> ofCause =
        longest.computeIfAbsent(stall.cause(), cause -> new PriorityQueue<>(BY_WAIT));
    ofCause.add(stall);
    if (ofCause.size() > STALLS_KEPT) {
      ofCause.remove();
    }
  }

  /** Returns the longest stalls of all causes, the longest first. */
  List<Stall> longestStalls() {
    return longest.values().stream()
        .flatMap(PriorityQueue::stream)
        .sorted(BY_WAIT.reversed())
        .toList();
  }

  /** Returns the steps in the form of a run record: a list for each figure. */
  Map<String, Object> steps() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("first", longs(span -> span.first));
    json.put("count", longs(span -> span.steps));
    json.put("at_seconds", times(span -> span.at));
    json.put("samples", longs(span -> span.samples));
    json.put("waited_seconds", times(span -> span.waited));
    json.put("waited_max_seconds", times(span -> span.mostWaited));
    json.put("waited_max_epoch", longs(span -> span.mostWaitedEpoch));
    json.put("waited_max_batch", longs(span -> span.mostWaitedBatch));
    json.put("compute_count", longs(span -> span.workedSteps));
    json.put("compute_seconds", times(span -> span.worked));
    json.put("compute_max_seconds", times(span -> span.mostWorked));
    json.put("work_seconds", times(span -> span.work));
    json.put("ready_mean", rounded(span -> (double) span.ready / span.steps));
    json.put("ready_min", longs(span -> span.leastReady));
    json.put("slots_mean", rounded(span -> (double) span.slotsInUse / span.steps));
    json.put("slots_max", longs(span -> span.mostSlotsInUse));
    return json;
  }

  private List<Long> longs(ToLongFunction<Span> value) {
    return spans.stream().map(value::applyAsLong).toList();
  }

  private List<Double> times(ToLongFunction<Span> nanos) {
    return rounded(span -> nanos.applyAsLong(span) / 1e9);
  }

  /** Rounded to microseconds, since the text has thousands of these numbers. */
  private List<Double> rounded(ToDoubleFunction<Span> value) {
    return spans.stream().map(span -> Math.round(1e6 * value.applyAsDouble(span)) / 1e6).toList();
  }

  /**
   * Returns the service level that the consumer's own pace asks for: batches of the average size,
   * each within the consumer's mean time for a batch; null before the consumer has worked on a
   * batch.
   */
  @Nullable ServiceLevel ownLevel(long samples, long batches) {
    long worked = spans.stream().mapToLong(span -> span.worked).sum();
    long workedSteps = spans.stream().mapToLong(span -> span.workedSteps).sum();
    if (workedSteps == 0 || worked < workedSteps || batches == 0 || samples < batches) {
      return null;
    }
    return ServiceLevel.of(
        (int) Math.round((double) samples / batches), Duration.ofNanos(worked / workedSteps));
  }
}
