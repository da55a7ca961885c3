package io.feedline.formats.cli.internal.doctor;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The times of a thread: on a processor, in the queue for one, or waiting for something else, such
 * as a storage.
 *
 * @param wallNanos all of it
 * @param cpuNanos on a processor
 * @param queuedNanos ready to run, while others had the processors: as Linux tells it, and 0
 *     elsewhere
 */
record ThreadTimes(long wallNanos, long cpuNanos, long queuedNanos) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Path SCHEDULER = Path.of("/proc/thread-self/schedstat");
  private static final boolean TELLS_QUEUE = Files.isReadable(SCHEDULER);

  /**
   * The calling thread's times so far, from any moment on.
   *
   * @throws IllegalStateException if this JVM does not tell them
   */
  static ThreadTimes now() throws IOException {
    return new ThreadTimes(System.nanoTime(), cpuNow(), queuedNow());
  }

  /** The calling thread's time on a processor so far. */
  static long cpuNow() {
    if (!THREADS.isCurrentThreadCpuTimeSupported() || !THREADS.isThreadCpuTimeEnabled()) {
      throw new IllegalStateException(
          "this JVM does not report the CPU time of threads, which all figures need: run the"
              + " command with another one, such as HotSpot");
    }
    return THREADS.getCurrentThreadCpuTime();
  }

  private static long queuedNow() throws IOException {
    // Three numbers: nanoseconds on a processor, nanoseconds queued, turns.
    return TELLS_QUEUE ? Long.parseLong(Files.readString(SCHEDULER).split(" ", -1)[1]) : 0;
  }

  /** Tests whether this system reports the time that threads are queued. */
  static boolean tellQueue() {
    return TELLS_QUEUE;
  }

  /** The part of a processor that the thread got when it wanted one; 1 if it never did. */
  double share() {
    return cpuNanos <= 0 ? 1 : (double) cpuNanos / (cpuNanos + queuedNanos);
  }

  /** The times since an earlier moment. */
  ThreadTimes since(ThreadTimes earlier) {
    return new ThreadTimes(
        wallNanos - earlier.wallNanos,
        cpuNanos - earlier.cpuNanos,
        queuedNanos - earlier.queuedNanos);
  }

  ThreadTimes plus(ThreadTimes other) {
    return new ThreadTimes(
        wallNanos + other.wallNanos, cpuNanos + other.cpuNanos, queuedNanos + other.queuedNanos);
  }

  /** Returns the processor time of one piece of work, in seconds. */
  double cpuSeconds(long pieces) {
    return cpuNanos / 1e9 / pieces;
  }

  /**
   * Returns the time that one piece of work waits for something other than a processor, in seconds.
   */
  double waitSeconds(long pieces) {
    return Math.max(0, wallNanos - cpuNanos - queuedNanos) / 1e9 / pieces;
  }
}
