package io.feedline.examples.shared;

import io.feedline.progress.Progress;
import io.feedline.progress.Progress.Figure;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows how far an epoch, or another task of many steps, has come: a bar, or a line every few
 * steps. Its owner closes it at the end.
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

  /** Steps that the bar knows of. */
  private long stepped;

  /** Samples of the step under way. */
  private int samples;

  /**
   * A display for some steps.
   *
   * @param out where lines go; the bar goes to standard error
   * @param narrator reports what the program waits for before the first line
   * @param task for instance {@code Epoch: [0]}
   * @param unit what samples are called, for example {@code images}
   * @param frequency steps from one line to the next; the last step always has one, and so has one
   *     that ends ten seconds after the last line
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

  /** The same with another clock. */
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

  /** Shows what the program waits for, until the next step ends. */
  public void stage(String words) {
    if (bar == null) {
      narrator.begin(words);
    } else {
      narrator.end();
      bar.figures(() -> List.of(Figure.of(words)));
    }
  }

  /**
   * Says that a step has got its batch.
   *
   * @param waited how long that was waited for, in nanoseconds
   */
  public void batch(long waited, int size) {
    samples += size;
    if (bar != null) {
      bar.waited(waited);
    }
  }

  /**
   * Says that a step has ended, and all before it.
   *
   * @param step counted from 0
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
