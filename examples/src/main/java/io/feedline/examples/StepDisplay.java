package io.feedline.examples;

import java.io.PrintWriter;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far an epoch, or another task of many steps, has come: a bar, or a line every few
 * steps. Its owner closes it at the end.
 */
final class StepDisplay implements AutoCloseable {

  private final PrintWriter out;
  private final String task;
  private final long steps;
  private final int frequency;
  private final ProgressBar bar;

  /**
   * A display for some steps.
   *
   * @param task for instance {@code Epoch: [0]}
   * @param frequency steps from one line to the next; the last step always has one
   */
  StepDisplay(PrintWriter out, String task, long steps, int frequency, boolean withBar) {
    this.out = out;
    this.task = task;
    this.steps = steps;
    this.frequency = frequency;
    this.bar =
        withBar
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .build()
            : null;
  }

  /** Whether somebody is there to watch a bar. */
  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 give one where there is no terminal
  static boolean onTerminal() {
    return System.console() != null;
  }

  /**
   * Says that a step has ended, and all before it.
   *
   * @param step counted from 0
   * @param figures of it, in words
   */
  void step(long step, Object... figures) {
    if (bar != null) {
      bar.setExtraMessage(" " + figures[figures.length - 1]);
      bar.stepTo(step + 1);
    } else if (step % frequency == 0 || step == steps - 1) {
      StringBuilder line =
          new StringBuilder(task).append(String.format(Locale.ROOT, "[%d/%d]", step, steps));
      for (Object figure : figures) {
        line.append("  ").append(figure);
      }
      out.println(line);
      out.flush();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
