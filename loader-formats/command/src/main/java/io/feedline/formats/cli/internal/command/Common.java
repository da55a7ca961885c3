package io.feedline.formats.cli.internal.command;

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
}
