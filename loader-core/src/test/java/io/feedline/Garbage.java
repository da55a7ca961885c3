package io.feedline;

import java.util.function.BooleanSupplier;

/** Asks the garbage collector about objects. */
public final class Garbage {

  private static final int ATTEMPTS = 50;
  private static final long PATIENCE_MILLIS = 100;
  private static final long PATIENCE_OF_CLEANERS_NANOS = 30_000_000_000L;

  private Garbage() {}

  /**
   * Collects until something holds; false if it does not within half a minute. A cleaner runs in a
   * thread of its own, which other load may keep waiting for longer than many collections take.
   */
  public static boolean makes(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean() && System.nanoTime() - begun < PATIENCE_OF_CLEANERS_NANOS) {
      System.gc();
    }
    return condition.getAsBoolean();
  }

  /** Collects until the thread has ended; false if it still runs after many attempts. */
  static boolean ends(Thread thread) throws InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS && thread.isAlive(); attempt++) {
      System.gc();
      thread.join(PATIENCE_MILLIS);
    }
    return !thread.isAlive();
  }
}
