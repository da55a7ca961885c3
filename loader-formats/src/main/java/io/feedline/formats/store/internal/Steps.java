package io.feedline.formats.store.internal;

/**
 * The steps of writing, between which a process may end: each change of a file's name, each line of
 * a journal. Tests look at what lies on the disk at each of them.
 */
final class Steps {

  /** For tests, whose writers are on several threads; null as a rule. */
  private static volatile Runnable observer;

  private Steps() {}

  /** A step has been taken. */
  static void taken() {
    Runnable watching = observer;
    if (watching != null) {
      watching.run();
    }
  }

  /** Calls an observer at each step, until the result is closed. */
  static AutoCloseable observe(Runnable newObserver) {
    observer = newObserver;
    return () -> observer = null;
  }
}
