package io.feedline.spark;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting for what another process does to files. */
final class Waiting {

  private static final long AT_MOST_NANOS = TimeUnit.MINUTES.toNanos(4);

  private Waiting() {}

  /** A state of files. */
  @FunctionalInterface
  interface State {
    boolean isReached() throws Exception;
  }

  /**
   * Waits for a state, looking at it a hundred times a second.
   *
   * @throws IllegalStateException if it is not reached within some minutes
   */
  static void until(State state) throws Exception {
    long begin = System.nanoTime();
    while (!state.isReached()) {
      if (System.nanoTime() - begin > AT_MOST_NANOS) {
        throw new IllegalStateException("what was waited for did not happen");
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
