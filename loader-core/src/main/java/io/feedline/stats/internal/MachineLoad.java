package io.feedline.stats.internal;

import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * The meter of the machine: the processor time of this process, its threads and other processes,
 * and the time for which threads with work stand still, because the garbage collector or a signal
 * stops them, or other threads have the processors or a lock.
 *
 * <p>All times are in nanoseconds. Thread-safe.
 */
public interface MachineLoad {

  /** A machine of which nothing is known but its processors. */
  MachineLoad NONE = new MachineLoad() {};

  /** Returns the meter of this JVM's machine. */
  static MachineLoad ofJvm() {
    return JvmLoad.INSTANCE;
  }

  // ---- processor time --------------------------------------------------------------------------

  /** Returns the processors that the JVM may use. */
  default int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns the calling thread's processor time; always 0 if it is unknown. */
  default long cpu() {
    return 0;
  }

  /** Returns the processor time of those threads that are alive; 0 if unknown. */
  default long cpu(long[] threads) {
    return 0;
  }

  /**
   * Returns the share of a processor that an always computing thread gets, as far as it is known:
   * 1, or less if more threads are ready to run than there are processors.
   */
  default double fairShare() {
    return 1;
  }

  /** Begins to measure; may cost some microseconds a thread. */
  default Measurement begin() {
    return workers -> new Use(-1, 0, 0, 0, OptionalDouble.empty());
  }

  /** A measurement from a moment on. */
  @FunctionalInterface
  interface Measurement {

    /**
     * Returns the use of the machine since the measurement began.
     *
     * @param workers the ids of the loader's threads, which began after this use
     */
    Use until(long[] workers);
  }

  /**
   * The use of the machine in a time.
   *
   * @param process the processor time of the whole process; negative: not known, nor are the next
   *     two
   * @param workers the processor time of the loader's live workers
   * @param threads the processor time of the other live Java threads: the consumer, the reading
   *     threads. The rest was the JVM's: its compiler, its collector; and that of threads which
   *     have ended
   * @param collecting for how long the garbage collector stopped all threads, which is no processor
   *     time
   * @param others how many processors other processes kept busy, on average; empty: not known
   */
  record Use(long process, long workers, long threads, long collecting, OptionalDouble others) {}

  // ---- standing still --------------------------------------------------------------------------

  /** Returns how long the garbage collector has stopped all threads so far. */
  default long collecting() {
    return 0;
  }

  /**
   * Returns how long a thread shall wait before it checks whether its timer was late, which shows
   * that the process was stopped; {@link Long#MAX_VALUE} if no check is needed.
   *
   * @param waited for how long it has waited
   */
  default long tick(long waited) {
    return Long.MAX_VALUE;
  }

  /** Returns how long a thread was held up if its timer was late by {@code nanos}. */
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

    /** Ends the watch. Returns for how long the process stood still meanwhile. */
    long end();
  }

  /**
   * Returns how many of the threads wait for a lock that another of the threads holds: a monitor,
   * or a lock of java.util.concurrent that knows its owner.
   *
   * @param threads by their ids
   */
  default int contending(long[] threads) {
    return 0;
  }

  /**
   * Returns a reader of the time for which the calling thread has queued for a processor so far;
   * for one thread at a time.
   */
  default LongSupplier queue() {
    return () -> 0;
  }
}
