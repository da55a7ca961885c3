package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Hooks after each step of writing, by which tests see the disk as a crash would leave it. */
public final class CrashPoints {

  private static volatile @Nullable Observer observer;

  private CrashPoints() {}

  @FunctionalInterface
  public interface Observer {

    void taken();

    /** Called after the content of a file, or the names in a directory, were forced to the disk. */
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

  public static AutoCloseable observe(Observer newObserver) {
    observer = newObserver;
    return () -> observer = null;
  }
}
