package io.feedline.stats.internal;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The time for which threads stand still although they have work: the garbage collector stops them,
 * the process is stopped, others have the processors, or a lock that they need.
 *
 * <p>Thread-safe.
 */
public interface Delays {

  /** No delay is known. */
  Delays NONE = new Delays() {};

  /** Returns the processors that the JVM may use. */
  default int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns for how long the garbage collector has stopped all threads so far, in nanoseconds. */
  default long collecting() {
    return 0;
  }

  /**
   * Returns for how many nanoseconds a thread is to wait before it looks whether its timer was
   * late, which shows that the process was stopped; {@link Long#MAX_VALUE} for as long as it likes.
   *
   * @param waited for how long it has waited, in nanoseconds
   */
  default long tick(long waited) {
    return Long.MAX_VALUE;
  }

  /** Returns for how long a thread was held up whose timer was late by so many nanoseconds. */
  default long late(long nanos) {
    return 0;
  }

  /**
   * Begins to watch, from another thread, whether the process is stopped while the calling thread
   * works. Costs some microseconds.
   */
  default Watch watch() {
    return () -> 0;
  }

  /** A watch over a thread that works, and cannot look at a timer itself. */
  @FunctionalInterface
  interface Watch {

    /** Ends the watch. Returns for how long the process stood still meanwhile, in nanoseconds. */
    long end();
  }

  /**
   * Returns how many of some threads wait for a lock that another of them holds: a monitor, or a
   * lock of java.util.concurrent that knows its owner.
   *
   * @param threads by their ids
   */
  default int contending(long[] threads) {
    return 0;
  }

  /**
   * Returns a reader of how long the calling thread has queued for a processor so far, in
   * nanoseconds; for one thread at a time.
   */
  default LongSupplier queue() {
    return () -> 0;
  }

  /** Returns the delays of this JVM. */
  static Delays ofJvm() {
    return new Delays() {

      /** Collectors that work beside the program have a second bean, for the whole cycle. */
      private final List<GarbageCollectorMXBean> collectors =
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .filter(collector -> !collector.getName().endsWith("Cycles"))
              .toList();

      @Override
      public long collecting() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : collectors) {
          millis += Math.max(0, collector.getCollectionTime());
        }
        return 1_000_000 * millis;
      }

      @Override
      public long tick(long waited) {
        // A long wait wakes the processor rarely, and a stop that explains half of it is still
        // seen.
        return Math.max(10_000_000, waited / 8);
      }

      @Override
      public long late(long nanos) {
        return Math.max(0, nanos);
      }

      @Override
      public Watch watch() {
        return new Heartbeat(this);
      }

      @Override
      public int contending(long[] threads) {
        return (int)
            Arrays.stream(ManagementFactory.getThreadMXBean().getThreadInfo(threads))
                .filter(Objects::nonNull)
                .mapToLong(ThreadInfo::getLockOwnerId)
                .filter(owner -> Arrays.stream(threads).anyMatch(thread -> thread == owner))
                .count();
      }

      @Override
      public LongSupplier queue() {
        return new ProcessorQueue();
      }
    };
  }
}
