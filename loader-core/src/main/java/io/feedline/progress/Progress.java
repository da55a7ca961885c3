package io.feedline.progress;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of a task of many steps, on standard error: a bar on a terminal, with the time that
 * is left; elsewhere a line every ten seconds at most, and a last line at the end of a task that
 * printed a line. {@link #of} shows the progress of a loader's epochs.
 *
 * <pre>{@code
 * try (Progress progress = Progress.builder("verify", images.size()).unit("images").begin()) {
 *   for (...) {
 *     progress.step(1);
 *   }
 * }
 * }</pre>
 *
 * <p>Used by one thread, which closes it.
 */
public final class Progress implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final String task;
  private final long steps;
  private final long before;
  private final String unit;
  private final Duration lineEvery;
  private final PrintStream to;
  private final LongSupplier nanos;
  private final long begin;

  /** The pace so far; guarded by the lock of this object. */
  private final Pace pace;

  /** The bar; null if lines are printed instead. */
  private final Bar bar;

  private volatile Supplier<List<Figure>> figures = List::of;
  // Guarded by the lock: the owner's thread writes, the drawing thread reads.
  private long done;
  private long unitsDone;

  private long waited = -1;

  private long lastLine;

  /** The steps that the last line showed; -1 before the first line. */
  private long shownDone = -1;

  private boolean closed;

  private Progress(Builder builder) {
    this.task = builder.task;
    this.steps = builder.steps;
    this.before = builder.before;
    this.unit = builder.unit;
    this.lineEvery = builder.lineEvery;
    this.to = builder.to;
    this.nanos = builder.nanos;
    this.begin = nanos.getAsLong();
    this.pace = new Pace(begin, before);
    this.lastLine = begin;
    this.done = before;
    this.bar = builder.bar ? bar() : null;
  }

  private Bar bar() {
    try {
      return new Bar(task, steps, before, this::line, to);
    } catch (NoClassDefFoundError absent) {
      if (!WARNED.getAndSet(true)) {
        LOG.warn("there is no bar without the library me.tongfei:progressbar: add it", absent);
      }
      return null;
    }
  }

  /** Returns the batches of a loader; iterating over them shows the progress. */
  public static Batches of(DataLoader<?> loader) {
    return of(loader, defaults -> defaults);
  }

  /**
   * Returns the batches of a loader; iterating over them shows the progress as you choose: {@code
   * Progress.of(loader, display -> display.unit("images").bar(false))}.
   *
   * @param display changes the defaults of the display, once for each epoch
   */
  public static Batches of(DataLoader<?> loader, UnaryOperator<Builder> display) {
    return new Batches(loader, display);
  }

  /**
   * Returns a builder of progress.
   *
   * @param task the name of the task, for example {@code verify}
   * @param steps the number of steps; negative if unknown
   */
  public static Builder builder(String task, long steps) {
    return new Builder(task, steps);
  }

  /** Returns whether the JVM has a terminal, on which a bar is visible. */
  @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 return one without a terminal
  public static boolean onTerminal() {
    return System.console() != null;
  }

  /** Notes that {@code count} more steps are done. */
  public void step(long count) {
    step(count, count);
  }

  /**
   * Notes that {@code count} more steps are done, and counts {@code units} for the rate, such as
   * the samples of a batch.
   */
  public void step(long count, long units) {
    long now;
    synchronized (this) {
      done += count;
      unitsDone += units;
      now = done;
      pace.at(nanos.getAsLong(), done, unitsDone);
    }
    if (bar != null) {
      bar.stepTo(now);
    } else if (!lineEvery.isZero() && nanos.getAsLong() - lastLine >= lineEvery.toNanos()) {
      printLine();
    }
  }

  /**
   * Adds nanoseconds that were spent waiting; from now on the display shows the share of waiting.
   */
  public synchronized void waited(long more) {
    waited = Math.max(0, waited) + more;
  }

  /**
   * Sets the figures that are shown before the rate, the most important first.
   *
   * @param shown called each time the figures are shown, also by another thread
   */
  public void figures(Supplier<List<Figure>> shown) {
    figures = Objects.requireNonNull(shown, "shown");
  }

  private BarLine line() {
    List<Figure> all = new ArrayList<>(figures.get());
    synchronized (this) {
      long now = nanos.getAsLong();
      addPace(all, now);
      Duration elapsed = Duration.ofNanos(now - begin);
      return new BarLine(task, done, steps, elapsed, pace.timeFor(steps - done, now), all);
    }
  }

  private void addPace(List<Figure> all, long now) {
    if (unit != null) {
      double rate = pace.unitsPerSecond(now);
      // The figure has a fixed width, so that the bar's width does not change.
      all.add(
          new Figure(
              words("%6.1f %s/s", rate, unit), words("%6.1f/s", rate), words("%.0f/s", rate)));
    }
    if (waited >= 0) {
      double share = 100.0 * waited / Math.max(1, now - begin);
      all.add(
          new Figure(
              words("waiting %.1f%%", share),
              words("wait %.0f%%", share),
              words("w%.0f%%", share)));
    }
  }

  private static String words(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  long now() {
    return nanos.getAsLong();
  }

  private void printLine() {
    lastLine = nanos.getAsLong();
    shownDone = done;
    to.println(line().inWords());
  }

  /** Ends the task: a bar stays as it is, and lines end with a last line. May be called twice. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (bar != null) {
      bar.close();
    } else if (shownDone >= 0 && shownDone < done) {
      printLine();
    }
  }

  /** The options of a task's progress. Not thread-safe. */
  public static final class Builder {
    private final String task;
    private final long steps;
    private long before;
    private String unit;
    private boolean bar = onTerminal();
    private Duration lineEvery = Duration.ofSeconds(10);
    private PrintStream to = System.err;
    private LongSupplier nanos = System::nanoTime;

    private Builder(String task, long steps) {
      this.task = Objects.requireNonNull(task, "task");
      this.steps = steps;
    }

    /**
     * Sets how many of the steps were done before the task began; they do not count for the rate.
     * Default 0.
     */
    public Builder done(long steps) {
      this.before = steps;
      return this;
    }

    /** Sets the unit of the rate, for example {@code images}. Default: no rate is shown. */
    public Builder unit(String plural) {
      this.unit = Objects.requireNonNull(plural, "plural");
      return this;
    }

    /** Sets whether a bar is shown. Default: {@link #onTerminal}. */
    public Builder bar(boolean shown) {
      this.bar = shown;
      return this;
    }

    /**
     * Sets the time between two lines, if there is no bar. Default ten seconds.
     *
     * @param time zero: no lines are printed
     * @throws IllegalArgumentException if the time is negative
     */
    public Builder lineEvery(Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException("lineEvery must not be negative, was " + time);
      }
      this.lineEvery = time;
      return this;
    }

    /** Sets the stream to which the progress is printed. Default: standard error. */
    public Builder to(PrintStream stream) {
      this.to = Objects.requireNonNull(stream, "stream");
      return this;
    }

    Builder clock(LongSupplier clock) {
      this.nanos = clock;
      return this;
    }

    /** Begins the task, which the caller closes. */
    public Progress begin() {
      return new Progress(this);
    }
  }

  /**
   * A figure of a progress bar, as a long, a medium and a short text for terminals of different
   * width.
   *
   * @param wide for example {@code waiting for data 3.2%}
   * @param medium for example {@code wait 3%}
   * @param narrow for example {@code w3%}
   */
  public record Figure(String wide, String medium, String narrow) {

    /** Checks that no text is null. */
    public Figure {
      Objects.requireNonNull(wide, "wide");
      Objects.requireNonNull(medium, "medium");
      Objects.requireNonNull(narrow, "narrow");
    }

    /** Returns a figure that has the same text at any width of the terminal. */
    public static Figure of(String words) {
      return new Figure(words, words, words);
    }
  }

  /**
   * The batches of a loader, with a display of the epoch's progress on standard error. PyTorch
   * users know it as {@code tqdm(loader)}.
   *
   * <pre>{@code
   * for (Batch batch : Progress.of(loader)) {
   *   try (batch) {
   *     train(batch);
   *   }
   * }
   * }</pre>
   *
   * <p>The display is a bar on a terminal; elsewhere, a line every ten seconds at most. It shows
   * the batches, the time that has passed and the time that is left, the samples per second, and
   * the share of the time that was spent waiting for batches. If this share is more than a few
   * percent, loading data limits the training.
   *
   * <p>Each {@link #iterator} begins the loader's next epoch. The display ends with the epoch, or
   * when the next epoch begins. If a loop may be left early, {@code try (Progress.Batches batches =
   * Progress.of(loader))} ends the display. The caller closes the loader.
   *
   * <p>Used by one thread.
   */
  public static final class Batches implements Iterable<Batch>, AutoCloseable {

    private final DataLoader<?> loader;
    private final UnaryOperator<Builder> display;

    private @Nullable Progress shown;

    private Batches(DataLoader<?> loader, UnaryOperator<Builder> display) {
      this.loader = Objects.requireNonNull(loader, "loader");
      this.display = Objects.requireNonNull(display, "display");
    }

    /**
     * Begins the loader's next epoch, and its display.
     *
     * @throws IllegalStateException as {@link DataLoader#iterator} does
     */
    @Override
    public Iterator<Batch> iterator() {
      close();
      BatchIterator batches = loader.iterator();
      Builder defaults =
          builder("epoch " + batches.epoch(), batches.remaining().orElse(-1)).unit("samples");
      shown = display.apply(defaults).begin();
      return new Shown(batches, shown);
    }

    /** Ends the display of the epoch under way, if any. May be called twice. */
    @Override
    public void close() {
      if (shown != null) {
        shown.close();
        shown = null;
      }
    }

    private static final class Shown implements Iterator<Batch> {
      private final BatchIterator batches;
      private final Progress progress;

      /** The samples that the consumer works on, counted as done when it takes the next batch. */
      private int underWay;

      Shown(BatchIterator batches, Progress progress) {
        this.batches = batches;
        this.progress = progress;
      }

      @Override
      public boolean hasNext() {
        stepDone();
        long from = progress.now();
        boolean more = batches.hasNext();
        progress.waited(progress.now() - from);
        if (!more) {
          progress.close();
        }
        return more;
      }

      @Override
      public Batch next() {
        stepDone();
        long from = progress.now();
        try {
          Batch batch = batches.next();
          underWay = batch.valid();
          return batch;
        } finally {
          progress.waited(progress.now() - from);
        }
      }

      private void stepDone() {
        if (underWay > 0) {
          progress.step(1, underWay);
          underWay = 0;
        }
      }
    }
  }
}
