package io.feedline.transform;

import io.feedline.batch.BatchTransform;
import io.feedline.internal.RecordType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A transform's class and its options: a record, or a {@link Transforms.Value} with a record. */
final class TransformType {

  private static final ClassValue<TransformType> TYPES =
      new ClassValue<>() {
        @Override
        protected TransformType computeValue(Class<?> type) {
          return new TransformType(type);
        }
      };

  private static final int MOST_PRINTED = 30;

  private final Class<?> type;

  /** The constructor that takes the record; null if the transform is the record itself. */
  private final @Nullable Constructor<?> constructor;

  private final RecordType record;

  private TransformType(Class<?> type) {
    this.type = type;
    if (!Transforms.Value.class.isAssignableFrom(type)) {
      this.constructor = null;
      this.record = RecordType.of(type);
      return;
    }
    Constructor<?>[] constructors = type.getDeclaredConstructors();
    if (constructors.length != 1
        || constructors[0].getParameterCount() != 1
        || !constructors[0].getParameterTypes()[0].isRecord()) {
      throw new IllegalArgumentException(
          type.getName() + " must have exactly one constructor, whose only parameter is a record");
    }
    this.constructor = constructors[0];
    this.record = RecordType.of(constructor.getParameterTypes()[0]);
    try {
      constructor.setAccessible(true);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "the constructor of %s cannot be called from outside; open its package to io.feedline.core"
              .formatted(type.getName()),
          e);
    }
  }

  /** Returns a class's type; throws if the class has no record, or its package is closed. */
  static TransformType of(Class<?> type) {
    return TYPES.get(type);
  }

  static boolean isValue(Object transform) {
    Class<?> type = transform.getClass();
    boolean named = !type.isHidden() && !type.isAnonymousClass();
    return named && (transform instanceof Transforms.Value || RecordType.isRecord(transform));
  }

  RecordType record() {
    return record;
  }

  private Object value(Object transform, int option) {
    return record.get(
        transform instanceof Transforms.Value value ? value.record() : transform, option);
  }

  Map<String, Object> options(Object transform) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (int i = 0; i < record.names().size(); i++) {
      Object value = plain(value(transform, i));
      if (value != null) {
        options.put(record.names().get(i), value);
      }
    }
    return Collections.unmodifiableMap(options);
  }

  /** Returns a value in JSON's types; -0.0 becomes 0, as numbers are read as BigDecimals. */
  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof RandomTransform || value instanceof BatchTransform) {
      return value;
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      return number == 0 ? value instanceof Float ? (Object) 0f : (Object) 0.0 : value;
    }
    if (value instanceof Optional<?> optional) {
      return plain(optional.orElse(null));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(TransformType::plain).toList();
    }
    if (value != null && value.getClass().isArray()) {
      return IntStream.range(0, Array.getLength(value))
          .mapToObj(i -> plain(Array.get(value, i)))
          .toList();
    }
    if (value instanceof Record) {
      RecordType type = RecordType.of(value.getClass());
      List<Object> components = new ArrayList<>();
      for (int i = 0; i < type.names().size(); i++) {
        components.add(plain(type.get(value, i)));
      }
      return Collections.unmodifiableList(components);
    }
    return value;
  }

  Object create(Object[] components) {
    Object options = record.create(components);
    if (constructor == null) {
      return options;
    }
    try {
      return constructor.newInstance(options);
    } catch (ReflectiveOperationException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the constructor of " + type.getName() + " failed", e);
    }
  }

  Object with(Object transform, String option, Object value) {
    Object[] components = new Object[record.names().size()];
    for (int i = 0; i < components.length; i++) {
      components[i] = record.names().get(i).equals(option) ? value : value(transform, i);
    }
    return create(components);
  }

  String toString(Object transform) {
    StringJoiner text = new StringJoiner(", ", type.getSimpleName() + "(", ")");
    options(transform).forEach((name, value) -> text.add(name + "=" + words(value)));
    return text.toString();
  }

  /** Returns a value to print; for a long list, its size and hash, so that lists stay distinct. */
  private static Object words(Object value) {
    return value instanceof List<?> list && list.size() > MOST_PRINTED
        ? "%d values, #%08x".formatted(list.size(), list.toString().hashCode())
        : value;
  }
}
