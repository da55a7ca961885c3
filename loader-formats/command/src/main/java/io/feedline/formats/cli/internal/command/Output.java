package io.feedline.formats.cli.internal.command;

import io.feedline.internal.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The way in which a command prints its result. */
public class Output {

  @Option(names = "--json", description = "Prints the result as one JSON object.")
  private boolean json;

  /** Prints a result, as JSON or in lines for people. */
  public final void print(PrintWriter out, Map<String, Object> result, List<String> lines) {
    if (json) {
      out.println(Json.write(result));
    } else {
      lines.forEach(out::println);
    }
    out.flush();
  }
}
