package io.feedline.formats.cli;

import picocli.CommandLine.Option;

/** What all commands take that read a store. */
final class Common extends Output {

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads that read and decode. Default: one a processor.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(names = "--no-progress", description = "Shows no progress bar.")
  private boolean noProgress;

  int workers() {
    return workers;
  }

  boolean quiet() {
    return noProgress;
  }
}
