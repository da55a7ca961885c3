package io.feedline;

import java.util.Collection;

/** An exception that stands for all failures that are not printed; it has no stack trace. */
final class MoreFailures extends Exception {

  private static final long serialVersionUID = 1L;

  private static final int MOST_SUPPRESSED = 3;

  private MoreFailures(int count) {
    super("and %d more".formatted(count), null, false, false);
  }

  /**
   * Adds failures to the first failure as suppressed exceptions: three at most, then the number of
   * further failures, since more stack traces would bury the first failure.
   */
  static void suppress(Throwable first, Collection<? extends Throwable> others) {
    others.stream().limit(MOST_SUPPRESSED).forEach(first::addSuppressed);
    int more = others.size() - MOST_SUPPRESSED;
    if (more > 0) {
      first.addSuppressed(new MoreFailures(more));
    }
  }
}
