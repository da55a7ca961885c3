package io.feedline.progress;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The pace of the last seconds of a task: what was slow at the start says nothing about the rest.
 * Steps that take longer than these seconds are judged by the last of them. Not thread-safe.
 */
final class Pace {

  private static final long WINDOW_NANOS = 5_000_000_000L;

  /** Marks are this far apart at least, so few are kept however many steps there are. */
  private static final long MARK_NANOS = WINDOW_NANOS / 50;

  /** The steps and units that were done at a time. */
  private record Mark(long nanos, long done, long units) {}

  private final Deque<Mark> marks = new ArrayDeque<>();
  private Mark now;

  /**
   * Begins.
   *
   * @param done the steps of an earlier run, which tell nothing of this one
   */
  Pace(long nanos, long done) {
    now = new Mark(nanos, done, 0);
    marks.add(now);
  }

  /** Notes what is done at a time. */
  void at(long nanos, long done, long units) {
    now = new Mark(nanos, done, units);
    if (nanos - marks.getLast().nanos >= MARK_NANOS && done > marks.getLast().done) {
      marks.add(now);
    }
    // What is left begins at or before the window, and has a step.
    while (marks.size() > 2) {
      Mark oldest = marks.removeFirst();
      if (nanos - marks.getFirst().nanos < WINDOW_NANOS || marks.getFirst().done >= done) {
        marks.addFirst(oldest);
        break;
      }
    }
  }

  /** Returns the units per second. */
  double unitsPerSecond(long nanos) {
    Mark from = marks.getFirst();
    return (now.units - from.units) * 1e9 / Math.max(1, nanos - from.nanos);
  }

  /** Returns the time that a number of steps takes; null before the first step. */
  @Nullable Duration timeFor(long steps, long nanos) {
    Mark from = marks.getFirst();
    return now.done <= from.done
        ? null
        : Duration.ofNanos(nanos - from.nanos).multipliedBy(steps).dividedBy(now.done - from.done);
  }
}
