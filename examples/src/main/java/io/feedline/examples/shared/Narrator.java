package io.feedline.examples.shared;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Prints the steps of a program, each with the seconds since the program's start. A step that takes
 * long is printed again every two seconds, with its progress.
 *
 * <p>Thread-safe. Its owner closes it, which ends its thread.
 */
public final class Narrator implements AutoCloseable {

  /** The time after which an unfinished step is printed again. */
  static final Duration SILENCE = Duration.ofSeconds(2);

  private static final long TICK_MILLIS = 100;

  private final PrintWriter err;
  private final LongSupplier nanos;
  private final long start;

  /** Null if the caller calls {@link #tick}. */
  private final Timer ticking;

  /**
   * The steps printed so far; a step that each epoch repeats is printed in the first epoch only.
   */
  private final Set<String> said = new HashSet<>();

  private String task;
  private Supplier<String> detail;
  private long lastWords;

  /**
   * Creates a narrator whose time begins now.
   *
   * @param err the destination of the lines
   */
  public Narrator(PrintWriter err) {
    this(err, System::nanoTime, new Timer("narrator", true));
    TimerTask ticks =
        new TimerTask() {
          @Override
          public void run() {
            tick();
          }
        };
    ticking.schedule(ticks, TICK_MILLIS, TICK_MILLIS);
  }

  /** Creates a narrator without a timer; the caller calls {@link #tick}. */
  Narrator(PrintWriter err, LongSupplier nanos) {
    this(err, nanos, null);
  }

  private Narrator(PrintWriter err, LongSupplier nanos, Timer ticking) {
    this.err = err;
    this.nanos = nanos;
    this.ticking = ticking;
    this.start = nanos.getAsLong();
  }

  /** Begins a step, and prints it unless it was printed before. */
  public void begin(String task) {
    begin(task, () -> "");
  }

  /**
   * Begins a step, and prints it unless it was printed before.
   *
   * @param detail returns the progress in words; another thread calls it while the step takes long
   */
  public synchronized void begin(String task, Supplier<String> detail) {
    this.task = task;
    this.detail = detail;
    lastWords = nanos.getAsLong();
    if (said.add(task)) {
      say(task);
    }
  }

  /** Ends the current step, and prints its result. */
  public synchronized void end(String result) {
    end();
    say(result);
  }

  /** Ends the current step without printing. */
  public synchronized void end() {
    task = null;
  }

  /** Prints the current step again if nothing was printed for {@link #SILENCE}. */
  synchronized void tick() {
    if (task != null && nanos.getAsLong() - lastWords >= SILENCE.toNanos()) {
      say("still " + task + detail.get());
    }
  }

  private void say(String words) {
    lastWords = nanos.getAsLong();
    err.println(String.format(Locale.ROOT, "[%6.1f s] %s", (lastWords - start) / 1e9, words));
    err.flush();
  }

  @Override
  public void close() {
    end();
    if (ticking != null) {
      ticking.cancel();
    }
  }
}
