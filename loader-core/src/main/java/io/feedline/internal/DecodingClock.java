package io.feedline.internal;

import org.jspecify.annotations.Nullable;

/**
 * A stop watch that separates decoding from writing and from changing pixels. A sample that does
 * all of this in one pass reports when the pass begins and ends, how much of it was writing, and
 * when functions change its pixels.
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

  /**
   * Returns the user's stage that the sample is in; null if the sample is in a stage of the loader.
   */
  @Nullable String ownStage();

  /**
   * Begins a function that changes the sample, or its pixels when they are decoded. A function
   * without a stage of its own interrupts decoding only.
   *
   * @return the stage before, for {@link #transformed}
   */
  int transform(Object function);

  /** Ends the stage that {@link #transform} has begun; the stage before it continues. */
  void transformed(int before);
}
