package io.feedline.formats.cli;

import io.feedline.internal.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What all commands take. */
final class Common {

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads that read and decode. Default: one a processor.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(names = "--json", description = "Prints the result as one JSON object.")
  private boolean json;

  @Option(names = "--no-progress", description = "Shows no progress bar.")
  private boolean noProgress;

  int workers() {
    return workers;
  }

  boolean quiet() {
    return noProgress;
  }

  /** Prints a result, as JSON or in lines for people. */
  void print(PrintWriter out, Map<String, Object> result, List<String> lines) {
    if (json) {
      out.println(Json.write(result));
    } else {
      lines.forEach(out::println);
    }
    out.flush();
  }
}
