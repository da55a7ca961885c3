package io.feedline.examples;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * Shows how far an epoch, or another task of many steps, has come: a bar, or a line every few
 * steps. Its owner closes it at the end.
 *
 * <p>Used by one thread; the bar is drawn by one of its own, ten times a second.
 */
final class StepDisplay implements AutoCloseable {

  private static final int REDRAW_MILLIS = 100;

  /** After how long a line is due though there have been few steps. */
  private static final Duration LINE_DUE = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final Narrator narrator;
  private final String task;
  private final long steps;
  private final int frequency;
  private final LongSupplier nanos;
  private final ProgressBar bar;
  private long lastLine;

  /** What the bar shows; read by the thread that draws. */
  private volatile List<Figure> figures = List.of();

  /**
   * A display for some steps.
   *
   * @param out where lines go; the bar goes to standard error
   * @param narrator says what is waited for before the first line
   * @param task for instance {@code Epoch: [0]}
   * @param frequency steps from one line to the next; the last step always has one, and so has one
   *     that ends ten seconds after the last line
   */
  StepDisplay(
      PrintWriter out, Narrator narrator, String task, long steps, int frequency, boolean withBar) {
    this(out, narrator, task, steps, frequency, withBar, System::nanoTime);
  }

  /** The same with another clock. */
  StepDisplay(
      PrintWriter out,
      Narrator narrator,
      String task,
      long steps,
      int frequency,
      boolean withBar,
      LongSupplier nanos) {
    this.out = out;
    this.narrator = narrator;
    this.task = task;
    this.steps = steps;
    this.frequency = frequency;
    this.nanos = nanos;
    this.lastLine = nanos.getAsLong();
    this.bar =
        withBar
            ? new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setUpdateIntervalMillis(REDRAW_MILLIS)
                .continuousUpdate()
                .setRenderer(
                    (state, width) ->
                        new BarLine(
                                task,
                                state.getCurrent(),
                                steps,
                                state.getElapsedAfterStart(),
                                figures)
                            .fit(width))
                .build()
            : null;
  }

  /** Whether somebody is there to watch a bar. */
  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 give one where there is no terminal
  static boolean onTerminal() {
    return System.console() != null;
  }

  /** Says what is being waited for, up to the next step's end. */
  void stage(String words) {
    if (bar == null) {
      narrator.begin(words);
    } else {
      narrator.end();
      figures = List.of(new Figure(words, words, words));
    }
  }

  /**
   * Says that a step has ended, and all before it.
   *
   * @param step counted from 0
   * @param figures for the bar
   * @param line the figures of a line, in words
   */
  void step(long step, List<Figure> figures, Object... line) {
    narrator.end();
    if (bar != null) {
      this.figures = figures;
      bar.stepTo(step + 1);
    } else if (step % frequency == 0
        || step == steps - 1
        || nanos.getAsLong() - lastLine >= LINE_DUE.toNanos()) {
      StringBuilder words =
          new StringBuilder(task).append(String.format(Locale.ROOT, "[%d/%d]", step, steps));
      for (Object figure : line) {
        words.append("  ").append(figure);
      }
      out.println(words);
      out.flush();
      lastLine = nanos.getAsLong();
    }
  }

  @Override
  public void close() {
    narrator.end();
    if (bar != null) {
      bar.close();
    }
  }
}
