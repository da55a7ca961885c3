package io.feedline.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON object, with accessors that check types and ranges and name a wrong member.
 *
 * @param where the object's place in its text, for errors
 */
public record JsonMembers(String where, Map<String, Object> members) {

  /**
   * Reads an object. Throws an {@link IllegalArgumentException}, whose message begins with {@code
   * what}, for any other text.
   */
  public static JsonMembers read(String what, String text) {
    try {
      return new JsonMembers(what, Json.read(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": no JSON object: " + e.getMessage(), e);
    }
  }

  /** Returns a value's members; throws {@link IllegalArgumentException} if it is no object. */
  public static JsonMembers of(String where, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(
          "%s must be an object, was %s".formatted(where, ClassNames.ofType(value)));
    }
    Map<String, Object> members = new LinkedHashMap<>();
    map.forEach((key, each) -> members.put((String) key, each));
    return new JsonMembers(where, members);
  }

  public String string(String name) {
    return value(name, String.class, "a string");
  }

  public boolean flag(String name) {
    return value(name, Boolean.class, "true or false");
  }

  /** Returns the member, a number of 0 or more. */
  public double number(String name) {
    return figure(name, value(name, Number.class, "a number"));
  }

  private double figure(String name, Number value) {
    double figure = value.doubleValue();
    if (!(figure >= 0 && figure <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "%s: '%s' must be 0 or more, and not without end, was %s".formatted(where, name, value));
    }
    return figure;
  }

  /** Returns the member, a number of seconds, as a duration. */
  public Duration time(String name) {
    return Duration.ofNanos(Math.round(1e9 * number(name)));
  }

  public long whole(String name) {
    return value(name, Long.class, "a whole number");
  }

  /** Returns the member, a whole number of 0 or more. */
  public long count(String name) {
    long value = whole(name);
    figure(name, value);
    return value;
  }

  public long whole(String name, long least, long most) {
    long value = whole(name);
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: '%s' must be from %d to %d, was %d".formatted(where, name, least, most, value));
    }
    return value;
  }

  public List<Long> wholes(String name) {
    return list(name, Long.class, "a whole number");
  }

  public List<String> strings(String name) {
    return list(name, String.class, "a string");
  }

  /** Returns all members, each of which must be a string. */
  public Map<String, String> strings() {
    Map<String, String> strings = new TreeMap<>();
    members.keySet().forEach(name -> strings.put(name, string(name)));
    return strings;
  }

  /** Returns the member, a number that may be below 0; empty if the member is null. */
  public OptionalDouble signedOrNull(String name) {
    return isNull(name)
        ? OptionalDouble.empty()
        : OptionalDouble.of(value(name, Number.class, "a number").doubleValue());
  }

  /** Returns the member, a number of 0 or more; empty if the member is null or absent. */
  public OptionalDouble numberIfPresent(String name) {
    return has(name) ? OptionalDouble.of(number(name)) : OptionalDouble.empty();
  }

  public boolean isNull(String name) {
    return members.containsKey(name) && members.get(name) == null;
  }

  public boolean has(String name) {
    return members.get(name) != null;
  }

  public JsonMembers object(String name) {
    return of(where + ": " + name, required(name));
  }

  /** Returns the member, an object; empty if the member is null. */
  public <V> Optional<V> objectOrNull(String name, Function<JsonMembers, V> read) {
    return isNull(name) ? Optional.empty() : Optional.of(read.apply(object(name)));
  }

  public <V> List<V> objects(String name, Function<JsonMembers, V> read) {
    List<V> values = new ArrayList<>();
    for (Object each : list(name)) {
      values.add(read.apply(of(where + ": " + name + "[" + values.size() + "]", each)));
    }
    return values;
  }

  public double[] numbers(String name) {
    List<Number> numbers = list(name, Number.class, "a number");
    return numbers.stream().mapToDouble(each -> figure(name, each)).toArray();
  }

  public double[] numbers(String name, int count) {
    double[] numbers = numbers(name);
    if (numbers.length != count) {
      throw new IllegalArgumentException(
          "%s: %s must have %d numbers, as the lists beside it, has %d"
              .formatted(where, name, count, numbers.length));
    }
    return numbers;
  }

  /** Returns the member, a list, whose elements may be null. */
  public List<?> list(String name) {
    return value(name, List.class, "a list");
  }

  private <V> List<V> list(String name, Class<V> type, String words) {
    List<V> values = new ArrayList<>();
    for (Object each : list(name)) {
      if (!type.isInstance(each)) {
        throw wrong("%s[%d]".formatted(name, values.size()), words, each);
      }
      values.add(type.cast(each));
    }
    return List.copyOf(values);
  }

  private @Nullable Object required(String name) {
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

  private IllegalArgumentException wrong(String name, String words, @Nullable Object found) {
    return new IllegalArgumentException(
        "%s: '%s' must be %s, was %s".formatted(where, name, words, ClassNames.ofType(found)));
  }
}
