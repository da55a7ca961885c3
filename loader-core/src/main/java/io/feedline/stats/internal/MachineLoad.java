package io.feedline.stats.internal;

import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * The meter of the machine: processor time, and the time for which threads with work stand still,
 * because the garbage collector or a signal stops them, or other threads have the processors or a
 * lock.
 *
 * <p>All times are in nanoseconds. Thread-safe.
 */
public interface MachineLoad {

  /** A meter that knows only the number of processors. */
  MachineLoad NONE = new MachineLoad() {};

  static MachineLoad ofJvm() {
    return JvmLoad.INSTANCE;
  }

  // ---- processor time --------------------------------------------------------------------------

  default int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns the calling thread's processor time; always 0 if it is unknown. */
  default long cpu() {
    return 0;
  }

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

  default Measurement begin() {
    return workers -> new Use(-1, 0, 0, 0, OptionalDouble.empty());
  }

  @FunctionalInterface
  interface Measurement {

    /**
     * Ends the measurement.
     *
     * @param workers the ids of the loader's threads, all started after the measurement began
     */
    Use until(long[] workers);
  }

  /**
   * The use of the machine in a period.
   *
   * @param process the processor time of the process; negative if this time and the next two are
   *     unknown
   * @param workers the processor time of the loader's live workers
   * @param threads the processor time of the other live Java threads, such as the consumer; the
   *     rest is the time of the JVM's compiler and collector, and of threads that have ended
   * @param collecting how long the garbage collector stopped all threads; this is no processor time
   * @param others the processors that other processes kept busy, on average; empty if unknown
   */
  record Use(long process, long workers, long threads, long collecting, OptionalDouble others) {}

  // ---- standing still --------------------------------------------------------------------------

  /** Returns how long the garbage collector has stopped all threads so far. */
  default long collecting() {
    return 0;
  }

  /**
   * Returns the next wait of a thread that has waited for {@code waited}. After the wait the thread
   * checks whether its timer was late, as when the process was stopped. {@link Long#MAX_VALUE}: no
   * check.
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
   * works and cannot look at a timer. Costs some microseconds.
   */
  default Watch watch() {
    return () -> 0;
  }

  @FunctionalInterface
  interface Watch {

    /** Ends the watch; returns how long the process stood still during the watch. */
    long end();
  }

  /**
   * Returns how many of the threads wait for a lock that another of these threads holds: a monitor,
   * or a lock of java.util.concurrent that knows its owner.
   *
   * @param threads the ids of the threads
   */
  default int contending(long[] threads) {
    return 0;
  }

  /** Returns a reader of the time its caller has queued for a processor; one thread at a time. */
  default LongSupplier queue() {
    return () -> 0;
  }
}
