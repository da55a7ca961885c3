package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.internal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Runs of the command in this process. Arguments are texts, each split at its spaces, and objects
 * such as paths, each an argument of its own.
 */
public abstract class CommandFixture {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Runs the command, and returns its exit code. */
  protected final int feedline(Object... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] words =
        Arrays.stream(arguments)
            .flatMap(
                each ->
                    each instanceof String text
                        ? Arrays.stream(text.strip().split(" +", -1))
                        : Stream.of(each.toString()))
            .toArray(String[]::new);
    return Feedline.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  /** Runs a command that has to succeed, and returns the text that it printed. */
  protected final String ok(Object... arguments) {
    assertThat(feedline(arguments)).as(out() + err()).isZero();
    return out();
  }

  /** Runs a command that has to end with an exit code, and returns its errors. */
  protected final String fails(int code, Object... arguments) {
    assertThat(feedline(arguments)).as(out() + err()).isEqualTo(code);
    return err();
  }

  /** Runs a command that has to succeed, and returns its result. */
  protected final Map<String, Object> json(Object... arguments) {
    ok(Stream.concat(Arrays.stream(arguments), Stream.of("--json")).toArray());
    return result();
  }

  /** Returns the result that the last command printed as JSON. */
  protected final Map<String, Object> result() {
    String text = out().strip();
    return Json.read(text.substring(text.lastIndexOf('\n') + 1));
  }

  protected final String out() {
    return out.toString();
  }

  protected final String err() {
    return err.toString();
  }

  @SuppressWarnings("unchecked") // a JSON object has strings as names
  protected static Map<String, Object> object(Map<?, ?> json, String name) {
    return (Map<String, Object>) json.get(name);
  }

  protected static double number(Map<?, ?> json, String name) {
    return ((BigDecimal) json.get(name)).doubleValue();
  }

  /** Requires that a page has all names of a result, which are a promise. */
  protected static void requireDocumented(Map<String, Object> json, String page)
      throws IOException {
    String text = Files.readString(Path.of(page));
    Set<String> names = new TreeSet<>();
    collectNames(json, names);
    assertThat(names)
        .hasSizeGreaterThan(20)
        .allSatisfy(name -> assertThat(text).contains('`' + name + '`'));
  }

  private static void collectNames(Object json, Set<String> names) {
    if (json instanceof Map<?, ?> object) {
      object.forEach(
          (name, value) -> {
            names.add((String) name);
            if (!name.equals("run")) { // RUN.md has its names
              collectNames(value, names);
            }
          });
    } else if (json instanceof List<?> list) {
      list.forEach(each -> collectNames(each, names));
    }
  }
}
