package io.feedline.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A bar on a terminal, drawn ten times a second by a thread of its own. */
final class Bar implements AutoCloseable {

  private static final int REDRAW_MILLIS = 100;

  private final ProgressBar bar;

  Bar(String task, long steps, long done, Supplier<BarLine> line, PrintStream to) {
    this.bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .startsFrom(done, Duration.ZERO)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .continuousUpdate()
            .setConsumer(new ConsoleProgressBarConsumer(to))
            .setRenderer((state, width) -> line.get().fit(width))
            .build();
  }

  void stepTo(long step) {
    bar.stepTo(step);
  }

  @Override
  public void close() {
    bar.close();
  }
}
