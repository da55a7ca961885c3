package io.feedline;

import java.util.List;

/** Looks at the threads of this JVM. */
final class Threads {

  private Threads() {}

  /** The live threads whose names begin like this. */
  static List<Thread> named(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && thread.getName().startsWith(prefix))
        .toList();
  }
}
