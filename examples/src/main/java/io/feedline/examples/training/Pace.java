package io.feedline.examples.training;

/** The rate of samples from now on, and the share of the time spent waiting for them. */
final class Pace {

  private final long begin = System.nanoTime();
  private long samples;
  private long waitedNanos;
  private long end;

  /**
   * Adds a batch that has been used.
   *
   * @param waited the time that the training waited for it, in nanoseconds
   */
  void add(long waited, int size) {
    waitedNanos += waited;
    samples += size;
  }

  /** Stops the clock. */
  void end() {
    end = System.nanoTime();
  }

  /** Returns the time so far, or up to the end. */
  double seconds() {
    return ((end == 0 ? System.nanoTime() : end) - begin) / 1e9;
  }

  /** Returns the samples in a second, the mean so far. */
  double perSecond() {
    return samples / seconds();
  }

  /** Returns the share of the time that was spent waiting, from 0 to 1. */
  double waitingShare() {
    return waitedNanos / 1e9 / seconds();
  }
}
