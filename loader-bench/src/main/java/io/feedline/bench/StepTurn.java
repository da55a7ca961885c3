package io.feedline.bench;

/**
 * A block of training steps of one kind.
 *
 * @param steps 1 or more
 * @param wallNanos from the end of the step before the first to the end of the last
 * @param cpuNanos of the whole process in that time
 */
record StepTurn(int steps, long wallNanos, long cpuNanos) {

  /** The mean of a step. */
  double millisPerStep() {
    return wallNanos / 1e6 / steps;
  }

  /** The mean CPU time of a step, in seconds. */
  double cpuSecondsPerStep() {
    return cpuNanos / 1e9 / steps;
  }
}
