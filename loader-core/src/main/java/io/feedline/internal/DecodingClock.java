package io.feedline.internal;

/**
 * A stop watch that tells decoding from writing. A sample that does both in one pass says when the
 * pass begins and ends, and how much of it was writing.
 *
 * <p>Used by the thread that makes the sample.
 */
public interface DecodingClock {

  /** Returns whether the sample is timed: nothing else need be called for the others. */
  boolean timing();

  /** Returns the time in nanoseconds, as {@link System#nanoTime} does. */
  long now();

  /** Leaves out the time since the last stage was entered: another thread was waited for. */
  void leaveOut();

  /** Begins the decoding of the sample. */
  void decode();

  /**
   * Ends the decoding.
   *
   * @param writing the nanoseconds since {@link #decode} in which elements were written
   */
  void decoded(long writing);
}
