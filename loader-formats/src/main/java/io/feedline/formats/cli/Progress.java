package io.feedline.formats.cli;

import java.io.PrintWriter;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows on standard error how far the work has come, with its rate and the time that remains: a bar
 * on a terminal, elsewhere nothing, so that logs stay short. Used by one thread, which closes it.
 */
final class Progress implements AutoCloseable {

  private final ProgressBar bar;

  private Progress(ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * Begins a task.
   *
   * @param done of the total, from an earlier run
   * @param quiet shows nothing, terminal or not
   */
  static Progress of(String task, long total, long done, boolean quiet, PrintWriter log) {
    if (quiet || !onTerminal()) {
      if (done > 0) {
        log.printf("%s: continuing at %d of %d%n", task, done, total);
      }
      return new Progress(null);
    }
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .startsFrom(done, Duration.ZERO)
            .setUnit(" images", 1)
            .showSpeed()
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(System.err))
            .build());
  }

  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 give one where there is no terminal
  private static boolean onTerminal() {
    return System.console() != null;
  }

  /** So many more are done. */
  void step(long count) {
    if (bar != null) {
      bar.stepBy(count);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
