package io.feedline.internal;

import org.jspecify.annotations.Nullable;

/**
 * A stop watch that tells decoding from writing and from changing pixels. A sample that does all in
 * one pass says when the pass begins and ends, how much of it was writing, and when functions
 * change its pixels.
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

  /** Returns the stage of the user's that the sample is in; null: one of the loader's own. */
  @Nullable String ownStage();

  /**
   * Begins a function that changes the sample, or its pixels when they are decoded. Where that is
   * no stage of its own, decoding alone is interrupted.
   *
   * @return the stage before, for {@link #transformed}
   */
  int transform(Object function);

  /** Ends what {@link #transform} has begun: the stage before it continues. */
  void transformed(int before);
}
