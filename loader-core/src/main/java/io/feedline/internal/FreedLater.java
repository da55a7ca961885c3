package io.feedline.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that the garbage collector frees some time after the memory was closed. */
public interface FreedLater {

  /** Adds the memory's size to a counter until the memory is freed. Call it before closing. */
  void countUntilFreed(AtomicLong bytes);
}
