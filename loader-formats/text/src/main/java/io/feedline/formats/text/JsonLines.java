package io.feedline.formats.text;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;
import com.google.gson.annotations.SerializedName;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.feedline.transform.Transform;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transforms of lines of JSON into samples. All workers parse at the same time, though only one at
 * a time reads lines. A line that does not parse is an error that names its file, line and column.
 *
 * <pre>{@code
 * record Question(String text, int label) {}
 *
 * IterableDataset<Question> questions =
 *     IterableDataset.lines(files).map(JsonLines.records(Question.class));
 * }</pre>
 *
 * <p>A line is one JSON object, by RFC 8259: {@code NaN} and comments are refused, which Python's
 * {@code json} accepts. An empty line is an error; {@code filter} leaves such lines out. Objects
 * and arrays may be nested 255 deep.
 *
 * <p>To use another parser, pass a function that calls it to {@code map}. The transforms here are
 * thread-safe.
 */
public final class JsonLines {

  private static final Gson STRICT =
      new GsonBuilder()
          .setStrictness(Strictness.STRICT)
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private static final String NO_OBJECT = "the line is not a JSON object: ";

  private JsonLines() {}

  /**
   * Returns the transform of a line into a map, whose entries have the order of the line. Values
   * are {@code String}, {@code Boolean}, {@code List}, {@code Map} and null; a number is a {@code
   * Long}, or a {@code Double} if it is not a whole number of 64 bits. Of several members with the
   * same name the last counts, as in Python.
   */
  @SuppressWarnings("unchecked") // The keys of an object are strings.
  public static Transform<String, Map<String, Object>> maps() {
    return line -> {
      // The line is not parsed as a Map, since Gson also makes a Map of an array.
      Object value = parse(STRICT, line, TypeToken.get(Object.class));
      if (!(value instanceof Map)) {
        throw new IOException(NO_OBJECT + "it is " + value);
      }
      return (Map<String, Object>) value;
    };
  }

  /**
   * Returns the transform of a line into a record. Members for which the record has no component
   * are left out. The line must have a member for each component of a primitive type; any other
   * component is null if its member is absent.
   *
   * @param type a record; a component whose name differs from its member has {@link SerializedName}
   * @param <R> the record
   */
  public static <R extends Record> Transform<String, R> records(Class<R> type) {
    return records(type, STRICT);
  }

  /**
   * Returns the transform of a line into a record, by a parser with the user's adapters.
   *
   * @param type a record
   * @param gson the parser, thread-safe as each {@link Gson} is
   * @param <R> the record
   */
  public static <R extends Record> Transform<String, R> records(Class<R> type, Gson gson) {
    Objects.requireNonNull(gson, "gson");
    TypeToken<R> token = TypeToken.get(type);
    List<List<String>> required = required(type);
    return line -> {
      if (!required.isEmpty()) {
        checkPresent(gson, line, required, type);
      }
      return parse(gson, line, token);
    };
  }

  /** Returns, per primitive component, its member's names; for a missing one Gson would set 0. */
  private static List<List<String>> required(Class<?> type) {
    List<List<String>> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isPrimitive()) {
        required.add(names(type, component.getName()));
      }
    }
    return required;
  }

  private static List<String> names(Class<?> type, String component) {
    try {
      SerializedName name = type.getDeclaredField(component).getAnnotation(SerializedName.class);
      if (name == null) {
        return List.of(component);
      }
      List<String> names = new ArrayList<>(List.of(name.value()));
      names.addAll(List.of(name.alternate()));
      return names;
    } catch (NoSuchFieldException impossible) {
      throw new IllegalArgumentException(type + " has no field " + component, impossible);
    }
  }

  private static void checkPresent(
      Gson gson, String line, List<List<String>> required, Class<?> type) throws IOException {
    Set<String> present = new LinkedHashSet<>();
    try (JsonReader json = gson.newJsonReader(new StringReader(line))) {
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        if (json.peek() != JsonToken.NULL) {
          present.add(name);
        }
        json.skipValue();
      }
    } catch (EOFException | MalformedJsonException | IllegalStateException e) {
      throw new IOException(NO_OBJECT + reason(line, e), e);
    }
    for (List<String> names : required) {
      if (Collections.disjoint(names, present)) {
        throw new IOException(
            "the line has no value for '%s', a number or truth value of %s; it has %s"
                .formatted(names.get(0), type.getSimpleName(), present));
      }
    }
  }

  private static <R> R parse(Gson gson, String line, TypeToken<R> type) throws IOException {
    R value;
    try {
      value = gson.fromJson(line, type);
    } catch (JsonParseException | NumberFormatException | IllegalStateException e) {
      String what =
          type.getRawType().isRecord() ? type.getRawType().getSimpleName() : "JSON object";
      throw new IOException("the line is not a %s: %s".formatted(what, reason(line, e)), e);
    }
    if (value == null) {
      throw new IOException(NO_OBJECT + reason(line, null));
    }
    return value;
  }

  private static String reason(String line, @Nullable Exception failure) {
    if (line.isBlank()) {
      return "it is empty";
    }
    return failure == null ? "it is null" : String.valueOf(failure.getMessage());
  }
}
