package io.feedline.formats.cli.internal.command;

import io.feedline.internal.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
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

  /** Returns the name of a constant as results have it: in lower case, with dashes. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns a part of a whole in words, for example {@code 87%}. */
  public static String percent(double part) {
    return part < 0.005 ? "<1%" : String.format(Locale.ROOT, "%.0f%%", 100 * part);
  }

  /** Returns a number as JSON takes it: null for none. */
  public static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
