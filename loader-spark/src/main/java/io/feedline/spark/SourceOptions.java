package io.feedline.spark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The options of a read or a write by name, regardless of case, since Spark sometimes passes names
 * in lower case. Immutable.
 */
final class SourceOptions {

  /** The option in which Spark passes the argument of {@code load} and {@code save}. */
  static final String PATH = "path";

  /** The values by names in lower case. */
  private final Map<String, String> values;

  private SourceOptions(Map<String, String> values) {
    this.values = values;
  }

  static SourceOptions of(Map<String, String> options) {
    Map<String, String> values = new TreeMap<>();
    options.forEach((name, value) -> values.put(lower(name), value));
    return new SourceOptions(values);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(lower(name)));
  }

  /** Returns the path; fails if there is none, or if there are several. */
  String path() {
    if (values.containsKey("paths")) {
      throw new IllegalArgumentException(
          "feedline reads one store at a time, was given "
              + values.get("paths")
              + "; read each of them and unite the results: a.union(b)");
    }
    return text(PATH)
        .filter(path -> !path.isBlank())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "feedline needs the path of a store: load(path), save(path) or the option path"));
  }

  boolean flag(String name) {
    String value = text(name).map(SourceOptions::lower).orElse("false");
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(
          "option %s must be true or false, was '%s'".formatted(name, value));
    }
    return value.equals("true");
  }

  /** Returns an option's value, by default the first word; fails if not among {@code words}. */
  String choice(String name, List<String> words) {
    String value = text(name).orElse(words.get(0));
    if (!words.contains(value)) {
      throw new IllegalArgumentException(
          "option %s must be %s, was '%s'".formatted(name, String.join(" or ", words), value));
    }
    return value;
  }

  /** Returns an option's value; fails if it is not a number in this range, bounds included. */
  Optional<Integer> integer(String name, int min, int max) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    try {
      int number = Integer.parseInt(value.get());
      if (number >= min && number <= max) {
        return Optional.of(number);
      }
    } catch (NumberFormatException notOne) {
      throw outOfRange(name, min, max, value.get(), notOne);
    }
    throw outOfRange(name, min, max, value.get(), null);
  }

  private static IllegalArgumentException outOfRange(
      String name, int min, int max, String value, Throwable cause) {
    return new IllegalArgumentException(
        "option %s must be a whole number from %s to %s, was '%s'".formatted(name, min, max, value),
        cause);
  }

  /** Returns those of the options that a format knows, by the format's spelling of their names. */
  Map<String, String> of(Collection<String> known) {
    Map<String, String> own = new TreeMap<>();
    for (String name : known) {
      text(name).ifPresent(value -> own.put(name, value));
    }
    return own;
  }

  SourceOptions without(String name) {
    Map<String, String> fewer = new TreeMap<>(values);
    fewer.remove(lower(name));
    return new SourceOptions(fewer);
  }

  /** Fails for an unknown option, listing {@code known}; {@code what} is the reader or writer. */
  void requireKnown(String what, Collection<String> known) {
    List<String> unknown = new ArrayList<>(values.keySet());
    unknown.remove(PATH);
    known.forEach(name -> unknown.remove(lower(name)));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no option '%s'; it has %s"
              .formatted(what, unknown.get(0), String.join(", ", known)));
    }
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
