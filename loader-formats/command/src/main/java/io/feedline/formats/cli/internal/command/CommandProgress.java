package io.feedline.formats.cli.internal.command;

import io.feedline.progress.TaskProgress;
import java.io.PrintWriter;
import java.time.Duration;

/** The progress that commands show. */
public final class CommandProgress {

  private CommandProgress() {}

  /**
   * Begins a task on images.
   *
   * @param done of the total, from an earlier run
   * @param quiet shows nothing, terminal or not
   */
  public static TaskProgress begin(
      String task, long total, long done, boolean quiet, PrintWriter log) {
    boolean bar = !quiet && TaskProgress.onTerminal();
    if (!bar && done > 0) {
      log.printf("%s: continuing at %d of %d%n", task, done, total);
    }
    TaskProgress.Builder progress =
        TaskProgress.builder(task, total).done(done).unit("images").bar(bar);
    return (quiet ? progress.lineEvery(Duration.ZERO) : progress).begin();
  }
}
