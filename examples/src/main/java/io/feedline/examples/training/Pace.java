package io.feedline.examples.training;

/** The samples a second since this object was created, and the fraction of time spent waiting. */
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

  /** Returns the mean samples a second so far. */
  double perSecond() {
    return samples / seconds();
  }

  /** Returns the fraction of the time that was spent waiting, from 0 to 1. */
  double waitingShare() {
    return waitedNanos / 1e9 / seconds();
  }
}
