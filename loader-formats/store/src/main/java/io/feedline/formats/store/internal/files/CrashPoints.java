package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The steps of writing, between which a process may end: each change of a file's name, each line of
 * a journal, and the files forced to the disk. Tests inspect the disk at each step.
 */
public final class CrashPoints {

  /** For tests, whose writers are on several threads; null as a rule. */
  private static volatile @Nullable Observer observer;

  private CrashPoints() {}

  /** Sees the steps of all writers, on their threads. */
  @FunctionalInterface
  public interface Observer {

    void taken();

    /** A file, or the names in a directory, are on the disk as they are now. */
    default void forced(Path path) throws IOException {}
  }

  public static void taken() {
    Observer watching = observer;
    if (watching != null) {
      watching.taken();
    }
  }

  public static void forced(Path path) throws IOException {
    Observer watching = observer;
    if (watching != null) {
      watching.forced(path);
    }
  }

  /** Calls an observer at each step, until the result is closed. */
  public static AutoCloseable observe(Observer newObserver) {
    observer = newObserver;
    return () -> observer = null;
  }
}
