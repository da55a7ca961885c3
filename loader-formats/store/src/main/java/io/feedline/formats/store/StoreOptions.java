package io.feedline.formats.store;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The options of a format as text, as on a command line or in a table of settings. In Java code a
 * format's own builder has typed options. Immutable.
 */
public final class StoreOptions {

  /** The name of the option for the column, feature or field that has the encoded image. */
  public static final String IMAGE_FIELD = "image-field";

  /** The name of the option for the column, feature or field that has the label. */
  public static final String LABEL_FIELD = "label-field";

  /** The name of the option for the column or field that has the key. */
  public static final String KEY_FIELD = "key-field";

  /**
   * The name of the option for the channels of the pixels: {@code gray}, {@code rgb}, {@code rgba}
   * or {@code gray16}. It sets how images are decoded, so every format has this option for opening
   * images.
   */
  public static final String MODE = "mode";

  /** No options. */
  public static final StoreOptions NONE = new StoreOptions(Map.of());

  private final Map<String, String> values;

  private StoreOptions(Map<String, String> values) {
    this.values = values;
  }

  /** Returns options by their names. */
  public static StoreOptions of(Map<String, String> values) {
    return new StoreOptions(Collections.unmodifiableMap(new TreeMap<>(values)));
  }

  /** Returns these options with one option added or replaced. */
  public StoreOptions with(String name, String value) {
    Map<String, String> more = new TreeMap<>(values);
    more.put(name, value);
    return of(more);
  }

  /** Returns these options without one option. */
  public StoreOptions without(String name) {
    Map<String, String> fewer = new TreeMap<>(values);
    fewer.remove(name);
    return of(fewer);
  }

  /** Returns the value of an option, if it is given. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /**
   * Returns the value of an option that is a whole number, if it is given.
   *
   * @throws IllegalArgumentException if it is not a number of 32 bits
   */
  public OptionalInt integer(String name) {
    String value = values.get(name);
    if (value == null) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option %s must be a whole number, was '%s'".formatted(name, value), e);
    }
  }

  /** Returns all options by name, sorted; unmodifiable. */
  public Map<String, String> values() {
    return values;
  }

  /**
   * Checks that no option is unknown.
   *
   * @param what the owner of the options, as the error names it
   * @throws IllegalArgumentException if an option is unknown; the message lists the known options
   */
  public void requireKnown(String what, Set<String> known) {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s has no option '%s'; it has %s"
                .formatted(
                    what,
                    name,
                    known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  /** Returns the options as {@code name=value}, separated by commas. */
  @Override
  public String toString() {
    return values.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoreOptions options && values.equals(options.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }
}
