package io.feedline.formats.store.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The steps of writing, at which tests inspect the disk as if the process ended there. */
public final class CrashPoints {

  private static volatile @Nullable Observer observer;

  private CrashPoints() {}

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

  public static AutoCloseable observe(Observer newObserver) {
    observer = newObserver;
    return () -> observer = null;
  }
}
