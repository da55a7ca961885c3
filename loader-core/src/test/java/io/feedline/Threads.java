package io.feedline;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Looks at the threads of this JVM. */
final class Threads {

  private Threads() {}

  static void spinWhile(BooleanSupplier condition) {
    while (condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  /**
   * The live threads whose names begin like this; tests ask in loops, so without stopping the
   * threads, as {@link Thread#getAllStackTraces} does.
   */
  static List<Thread> named(String prefix) {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] found;
    int count;
    do {
      found = new Thread[2 * all.activeCount() + 16];
      count = all.enumerate(found);
    } while (count == found.length); // those for which there is no place are left out
    return Arrays.stream(found, 0, count)
        .filter(thread -> thread.isAlive() && thread.getName().startsWith(prefix))
        .toList();
  }
}
