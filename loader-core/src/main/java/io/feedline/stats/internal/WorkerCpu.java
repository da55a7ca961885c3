package io.feedline.stats.internal;

/** The use of the processors, as far as the JVM knows it. */
public interface WorkerCpu {

  /** Returns the CPU time of all workers so far, in nanoseconds; 0 where it is not known. */
  long ofWorkers();

  /**
   * Returns the share of a processor that a thread gets which always computes, as far as that is
   * known: 1, or less where more threads want to run than there are processors.
   */
  double fairShare();
}
