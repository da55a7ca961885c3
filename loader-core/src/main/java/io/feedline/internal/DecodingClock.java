package io.feedline.internal;

import org.jspecify.annotations.Nullable;

/**
 * A stop watch that separates decoding from writing and from changing pixels, for a sample that
 * does all of this in one pass. Used by the thread that makes the sample.
 */
public interface DecodingClock {

  /** Returns whether the sample is timed; if not, no other method need be called. */
  boolean timing();

  long now();

  /** Leaves out the time since the last stage was entered, which the thread spent waiting. */
  void leaveOut();

  void decode();

  /**
   * Ends the decoding. {@code writing} is the part of the time since {@link #decode} in which
   * elements were written, in nanoseconds; it does not count as decoding.
   */
  void decoded(long writing);

  /** Returns the user's stage that the sample is in; null if it is in a stage of the loader. */
  @Nullable String ownStage();

  /**
   * Notes the start of a function that changes the sample, or its decoded pixels. Returns the stage
   * that was charged before, to be passed to {@link #transformed}. The time of a function without a
   * stage of its own is charged to the stage before; during decoding, to transforming.
   */
  int transform(Object function);

  void transformed(int before);
}
