package io.feedline.formats.cli.internal.command;

import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The conversion of a command's result, a record, to JSON. */
public final class RecordJson {

  private RecordJson() {}

  /**
   * Returns a record's components by their names in snake case: {@code exampleBytes} becomes {@code
   * example_bytes}. Converts records and lists in components, too. A constant becomes its name in
   * lower case with dashes, a duration its seconds, and an empty Optional null.
   */
  public static Map<String, Object> of(Record record) {
    Map<String, Object> json = new LinkedHashMap<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      json.put(name, value(component(record, component.getAccessor())));
    }
    return json;
  }

  private static @Nullable Object component(Record record, Method accessor) {
    try {
      accessor.setAccessible(true);
      return accessor.invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(accessor + " cannot be called", e);
    }
  }

  private static @Nullable Object value(@Nullable Object value) {
    if (value instanceof Record record) {
      return of(record);
    } else if (value instanceof RunRecord run) {
      return Json.read(run.toJson());
    } else if (value instanceof Optional<?> optional) {
      return value(optional.orElse(null));
    } else if (value instanceof OptionalDouble optional) {
      return Output.orNull(optional);
    } else if (value instanceof List<?> list) {
      return list.stream().map(RecordJson::value).toList();
    } else if (value instanceof Enum<?> constant) {
      return Output.name(constant);
    } else if (value instanceof Duration time) {
      return time.toNanos() / 1e9;
    } else {
      return value instanceof Path ? value.toString() : value;
    }
  }
}
