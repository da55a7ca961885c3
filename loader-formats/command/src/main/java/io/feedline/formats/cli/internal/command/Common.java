package io.feedline.formats.cli.internal.command;

import io.feedline.progress.Progress;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of all commands that read a store. */
public final class Common extends Output {

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads that read and decode. Default: one a processor.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(names = "--no-progress", description = "Shows no progress bar.")
  private boolean noProgress;

  public int workers() {
    return workers;
  }

  public boolean quiet() {
    return noProgress;
  }

  /** Begins a progress display; an earlier run has finished {@code done} of the images. */
  public Progress progress(String task, long total, long done) {
    boolean bar = !noProgress && Progress.onTerminal();
    if (!bar && done > 0) {
      err().printf("%s: continuing at %d of %d%n", task, done, total);
    }
    Progress.Builder progress = Progress.builder(task, total).done(done).unit("images").bar(bar);
    return (noProgress ? progress.lineEvery(Duration.ZERO) : progress).begin();
  }
}
