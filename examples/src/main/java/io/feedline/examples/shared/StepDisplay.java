package io.feedline.examples.shared;

import io.feedline.progress.Progress;
import io.feedline.progress.Progress.Figure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows the progress of an epoch, or of another task of many steps: a bar, or a line every few
 * steps. The owner closes it at the end.
 *
 * <p>Used by one thread; another thread draws the bar, ten times a second.
 */
public final class StepDisplay implements AutoCloseable {

  /** The time after which a line is printed even after few steps. */
  private static final Duration LINE_DUE = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final Narrator narrator;
  private final String task;
  private final long steps;
  private final int frequency;
  private final LongSupplier nanos;

  /** Null where lines are printed. */
  private final Progress bar;

  private long lastLine;

  /** The number of steps that the bar shows. */
  private long stepped;

  /** The number of samples of the current step. */
  private int samples;

  /**
   * Creates a display.
   *
   * @param out the destination of lines; the bar is on standard error
   * @param narrator reports the current stage before the first line
   * @param task the name of the task, such as {@code Epoch: [0]}
   * @param unit what samples are called, for example {@code images}
   * @param frequency the number of steps from one line to the next; a line is also printed for the
   *     last step, and for a step that ends more than ten seconds after the last line
   */
  public StepDisplay(
      PrintWriter out,
      Narrator narrator,
      String task,
      long steps,
      String unit,
      int frequency,
      boolean withBar) {
    this(out, narrator, task, steps, unit, frequency, withBar, System::nanoTime);
  }

  /** Creates a display with another clock. */
  public StepDisplay(
      PrintWriter out,
      Narrator narrator,
      String task,
      long steps,
      String unit,
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
    this.bar = withBar ? Progress.builder(task, steps).unit(unit).bar(true).begin() : null;
  }

  /** Shows the stage of the program, such as waiting for a batch, until the next step ends. */
  public void stage(String words) {
    if (bar == null) {
      narrator.begin(words);
    } else {
      narrator.end();
      bar.figures(() -> List.of(Figure.of(words)));
    }
  }

  /**
   * Reports that the current step has got its batch.
   *
   * @param waited the time that the step waited for the batch, in nanoseconds
   */
  public void batch(long waited, int size) {
    samples += size;
    if (bar != null) {
      bar.waited(waited);
    }
  }

  /**
   * Reports that a step and all steps before it have ended.
   *
   * @param step the number of the step, from 0
   * @param figures for the bar
   * @param line the figures of a line, in words
   */
  public void step(long step, List<Figure> figures, Object... line) {
    narrator.end();
    if (bar != null) {
      bar.figures(() -> figures);
      bar.step(step + 1 - stepped, samples);
      stepped = step + 1;
      samples = 0;
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
