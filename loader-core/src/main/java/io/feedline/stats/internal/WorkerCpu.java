package io.feedline.stats.internal;

/** The use of the processors, as far as the JVM knows it. */
public interface WorkerCpu {

  /** Returns the CPU time of all workers so far, in nanoseconds; 0 if unknown. */
  long ofWorkers();

  /**
   * Returns the share of a processor that an always computing thread gets, as far as it is known:
   * 1, or less if more threads are ready to run than there are processors.
   */
  double fairShare();
}
