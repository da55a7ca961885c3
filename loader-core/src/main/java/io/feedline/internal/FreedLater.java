package io.feedline.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Memory that is freed some time after it was given back, when the garbage collector finds it. */
public interface FreedLater {

  /** Called before the memory is given back. */
  void countUntilFreed(AtomicLong bytes);
}
