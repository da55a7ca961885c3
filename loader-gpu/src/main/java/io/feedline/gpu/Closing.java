package io.feedline.gpu;

/** Closes several things so that each is closed and no failure is lost. */
final class Closing {
  private Closing() {}

  /**
   * Closes all, in this order.
   *
   * @param resources may be null
   * @throws RuntimeException the first failure, with the others suppressed
   */
  static void all(AutoCloseable... resources) {
    Throwable first = null;
    for (AutoCloseable resource : resources) {
      first = close(resource, first);
    }
    if (first instanceof RuntimeException exception) {
      throw exception;
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw new IllegalStateException(first);
    }
  }

  /** Closes all, in this order; failures are suppressed in the failure before them. */
  static void afterFailure(Throwable failure, AutoCloseable... resources) {
    for (AutoCloseable resource : resources) {
      close(resource, failure);
    }
  }

  private static Throwable close(AutoCloseable resource, Throwable before) {
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
