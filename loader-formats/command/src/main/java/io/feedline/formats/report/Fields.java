package io.feedline.formats.report;

import io.feedline.internal.ClassNames;
import io.feedline.internal.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The members of an object in JSON, which are what they should be, or an error says which is not.
 *
 * @param where the object's place in its text, for errors
 */
record Fields(String where, Map<String, Object> members) {

  /**
   * Reads a text.
   *
   * @param what it is called in errors
   * @throws IllegalArgumentException if it is no object in JSON
   */
  static Fields of(String what, String text) {
    try {
      return new Fields(what, Json.read(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": no JSON object: " + e.getMessage(), e);
    }
  }

  String string(String name) {
    return value(name, String.class, "a string");
  }

  boolean flag(String name) {
    return value(name, Boolean.class, "true or false");
  }

  double number(String name) {
    return value(name, Number.class, "a number").doubleValue();
  }

  long whole(String name) {
    return value(name, Long.class, "a whole number");
  }

  /** Empty for null. */
  OptionalDouble numberOrNull(String name) {
    return isNull(name) ? OptionalDouble.empty() : OptionalDouble.of(number(name));
  }

  /** Empty for null, and where an earlier version wrote no such member. */
  OptionalDouble numberIfPresent(String name) {
    return members.get(name) == null ? OptionalDouble.empty() : OptionalDouble.of(number(name));
  }

  boolean isNull(String name) {
    return members.containsKey(name) && members.get(name) == null;
  }

  Fields object(String name) {
    return object(where + ": " + name, required(name));
  }

  /** Empty for null. */
  <V> Optional<V> objectOrNull(String name, Function<Fields, V> read) {
    return isNull(name) ? Optional.empty() : Optional.of(read.apply(object(name)));
  }

  <V> List<V> objects(String name, Function<Fields, V> read) {
    List<V> values = new ArrayList<>();
    for (Object each : value(name, List.class, "a list")) {
      values.add(read.apply(object("%s: %s[%s]".formatted(where, name, values.size()), each)));
    }
    return values;
  }

  double[] numbers(String name) {
    List<?> list = value(name, List.class, "a list");
    double[] numbers = new double[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      if (!(list.get(i) instanceof Number number)) {
        throw wrong("%s[%d]".formatted(name, i), "a number", list.get(i));
      }
      numbers[i] = number.doubleValue();
    }
    return numbers;
  }

  /** Numbers, as many as another list has. */
  double[] numbers(String name, int count) {
    double[] numbers = numbers(name);
    if (numbers.length != count) {
      throw new IllegalArgumentException(
          "%s: %s must have %d numbers, as the lists beside it, has %d"
              .formatted(where, name, count, numbers.length));
    }
    return numbers;
  }

  private Object required(String name) {
    if (!members.containsKey(name)) {
      throw new IllegalArgumentException("%s: '%s' is missing".formatted(where, name));
    }
    return members.get(name);
  }

  private <V> V value(String name, Class<V> type, String words) {
    Object value = required(name);
    if (!type.isInstance(value)) {
      throw wrong(name, words, value);
    }
    return type.cast(value);
  }

  private IllegalArgumentException wrong(String name, String words, Object found) {
    return new IllegalArgumentException(
        "%s: '%s' must be %s, was %s".formatted(where, name, words, ClassNames.ofType(found)));
  }

  private static Fields object(String where, Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(
          "%s must be an object, was %s".formatted(where, ClassNames.ofType(value)));
    }
    Map<String, Object> members = new LinkedHashMap<>();
    map.forEach((key, each) -> members.put((String) key, each));
    return new Fields(where, members);
  }
}
