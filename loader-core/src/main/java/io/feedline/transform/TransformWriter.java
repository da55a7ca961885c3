package io.feedline.transform;

import io.feedline.batch.BatchTransform;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Composition;
import io.feedline.internal.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A writer of transforms as JSON; see {@link Transforms}. */
final class TransformWriter {

  static final long VERSION = 1;

  private TransformWriter() {}

  static String write(Object transform) {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put("version", VERSION);
    text.put("transform", transform(transform));
    return Json.write(text);
  }

  private static Object transform(Object transform) {
    if (transform instanceof Composition composition) {
      Object parts = value(composition.parts());
      return composition.isChoice() ? Map.of("RandomChoice", Map.of("transforms", parts)) : parts;
    }
    Class<?> type = transform.getClass();
    if (!TransformType.isValue(transform)) {
      throw new IllegalArgumentException(
          "%s has no options that JSON could hold: make it a record that implements %s"
                  .formatted(
                      type.isHidden()
                          ? "a lambda of " + ClassNames.of(transform)
                          : "a transform of " + type.getName(),
                      kind(transform))
              + ", and give the record's class to fromJson; or add it in code, behind what is read");
    }
    Map<String, Object> options = new LinkedHashMap<>();
    TransformType.of(type)
        .options(transform)
        .forEach(
            (name, value) -> {
              try {
                options.put(name, value(value));
              } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                    "%s of %s: %s".formatted(name, type.getSimpleName(), e.getMessage()), e);
              }
            });
    return Map.of(TransformNames.of(type), options);
  }

  private static String kind(Object transform) {
    return transform instanceof BatchTransform
        ? "BatchTransform"
        : transform instanceof Transform ? "Transform" : "RandomTransform";
  }

  private static @Nullable Object value(@Nullable Object value) {
    if (value instanceof RandomTransform || value instanceof BatchTransform) {
      return transform(value);
    }
    if (value instanceof List<?> list) {
      return list.stream().map(TransformWriter::value).toList();
    }
    boolean finite = !(value instanceof Number number) || Double.isFinite(number.doubleValue());
    if (!finite) {
      throw new IllegalArgumentException("JSON has no number " + value);
    }
    if (value instanceof Number || value instanceof Boolean || value == null) {
      return value;
    }
    if (value instanceof String || value instanceof Enum) {
      return value.toString();
    }
    throw new IllegalArgumentException(
        "JSON has no form for a value of " + ClassNames.ofType(value));
  }
}
