package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * When a {@link FakeDriver} does what lies in its queues. CUDA promises no more than the order in
 * each stream and what events say, so a program must be right under all of these.
 */
public record Schedule(Kind kind, long seed) {

  public enum Kind {
    /** As late as possible: when somebody waits for them. Finds who reads or recycles too early. */
    LAZY,

    /** As early as possible: at once, unless they wait for something. Finds who fills too late. */
    EAGER,

    /** At every call of the driver a few of those that can run, of any stream. */
    RANDOM
  }

  public static Schedule lazy() {
    return new Schedule(Kind.LAZY, 0);
  }

  public static Schedule eager() {
    return new Schedule(Kind.EAGER, 0);
  }

  /** Anything may run at any call; one thread's calls with the same seed replay exactly. */
  public static Schedule random(long seed) {
    return new Schedule(Kind.RANDOM, seed);
  }

  /** Lazy, eager and some random ones, for tests that are to hold under each. */
  public static List<Schedule> all() {
    List<Schedule> schedules = new ArrayList<>(List.of(lazy(), eager()));
    LongStream.rangeClosed(1, 6).mapToObj(Schedule::random).forEach(schedules::add);
    return schedules;
  }

  @Override
  public String toString() {
    return kind == Kind.RANDOM ? "random(" + seed + ")" : kind.name().toLowerCase(Locale.ROOT);
  }
}
