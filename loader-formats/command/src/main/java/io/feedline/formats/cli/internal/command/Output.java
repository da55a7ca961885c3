package io.feedline.formats.cli.internal.command;

import io.feedline.internal.Json;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The printing of a command's result, and the checks of its options. */
public class Output {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", description = "Prints the result as one JSON object.")
  private boolean json;

  public final void print(Map<String, Object> result, List<String> lines) {
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      out.println(Json.write(result));
    } else {
      lines.forEach(out::println);
    }
    out.flush();
  }

  public final PrintWriter err() {
    return command.commandLine().getErr();
  }

  /** Throws a {@link ParameterException} with a formatted message, unless {@code holds}. */
  public final void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new ParameterException(
          command.commandLine(), String.format(Locale.ROOT, message, values));
    }
  }

  /** Checks before the work that the file's directory exists and allows writing; null: no file. */
  public static void requirePlaceOf(@Nullable Path file) throws IOException {
    if (file == null || Presence.isFile(file)) {
      return;
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || Presence.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "this is a directory and not a file");
    }
    if (!Presence.isDirectory(directory)) {
      throw MissingPaths.ofDirectory(file, null);
    }
    if (!Presence.exists(file) && !Files.isWritable(directory)) {
      throw new AccessDeniedException(file.toString(), null, "its directory may not be written to");
    }
  }

  public final ParameterException refusal(String message, Exception cause) {
    return new ParameterException(command.commandLine(), message, cause);
  }

  /** Returns a constant's name as results have it: in lower case, with dashes. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns a fraction as a percentage, such as {@code 87%} for 0.87. */
  public static String percent(double part) {
    return part < 0.005 ? "<1%" : String.format(Locale.ROOT, "%.0f%%", 100 * part);
  }

  public static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
