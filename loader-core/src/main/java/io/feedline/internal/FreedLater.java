package io.feedline.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that is freed some time after it was given back, when the garbage collector finds it. */
public interface FreedLater {

  /**
   * Adds the memory's size to a counter until the memory is freed. Called before it is given back.
   */
  void countUntilFreed(AtomicLong bytes);
}
