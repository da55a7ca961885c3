package io.feedline.progress;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The pace of the last seconds of a task, since a slow start does not predict the later pace. For
 * steps that take longer than these seconds, the pace is that of the last step. Not thread-safe.
 */
final class Pace {

  private static final long WINDOW_NANOS = 5_000_000_000L;

  /** The shortest time between two {@link Mark}s, in nanoseconds, which bounds their number. */
  private static final long MARK_NANOS = WINDOW_NANOS / 50;

  private record Mark(long nanos, long done, long units) {}

  private final Deque<Mark> marks = new ArrayDeque<>();
  private Mark now;

  Pace(long nanos, long done) {
    now = new Mark(nanos, done, 0);
    marks.add(now);
  }

  void at(long nanos, long done, long units) {
    now = new Mark(nanos, done, units);
    if (nanos - marks.getLast().nanos >= MARK_NANOS && done > marks.getLast().done) {
      marks.add(now);
    }
    // Keeps, as the first mark, the last mark before the window after which a step was done.
    while (marks.size() > 2) {
      Mark oldest = marks.removeFirst();
      if (nanos - marks.getFirst().nanos < WINDOW_NANOS || marks.getFirst().done >= done) {
        marks.addFirst(oldest);
        break;
      }
    }
  }

  double unitsPerSecond(long nanos) {
    Mark from = marks.getFirst();
    return (now.units - from.units) * 1e9 / Math.max(1, nanos - from.nanos);
  }

  /** Returns the time that steps will take; null before the first step. */
  @Nullable Duration timeFor(long steps, long nanos) {
    Mark from = marks.getFirst();
    return now.done <= from.done
        ? null
        : Duration.ofNanos(nanos - from.nanos).multipliedBy(steps).dividedBy(now.done - from.done);
  }
}
