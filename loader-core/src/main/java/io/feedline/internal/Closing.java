package io.feedline.internal;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Methods that close several resources, so that each is closed and no failure is lost. */
public final class Closing {
  private Closing() {}

  /** Closes all resources but nulls; throws the first failure, with the others suppressed. */
  public static void all(@Nullable AutoCloseable... resources) {
    Throwable first = null;
    for (AutoCloseable resource : resources) {
      first = close(resource, first);
    }
    throwUnchecked(first);
    if (first != null) {
      throw new IllegalStateException(first);
    }
  }

  public static void each(Iterable<? extends Closeable> resources) throws IOException {
    Throwable first = null;
    for (Closeable resource : resources) {
      first = close(resource, first);
    }
    throwUnchecked(first);
    if (first != null) {
      throw (IOException) first;
    }
  }

  /** Closes all resources after a failure; adds their failures to it as suppressed exceptions. */
  public static void afterFailure(Throwable failure, @Nullable AutoCloseable... resources) {
    for (AutoCloseable resource : resources) {
      close(resource, failure);
    }
  }

  private static void throwUnchecked(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  private static Throwable close(@Nullable AutoCloseable resource, @Nullable Throwable before) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Throwable failure) {
      if (before == null) {
        return failure;
      }
      if (before != failure) {
        before.addSuppressed(failure);
      }
    }
    return before;
  }
}
