package io.feedline.transform;

import io.feedline.batch.BatchTransform;
import io.feedline.internal.ClassNames;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.RecordType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A reader of transforms in JSON; see {@link Transforms}. Used once, by one thread. */
final class TransformReader {

  private final Map<String, Class<?>> own = new HashMap<>();

  TransformReader(Class<?>... own) {
    for (Class<?> type : own) {
      if (!isKind(type)) {
        throw new IllegalArgumentException(
            type.getName() + " is no Transform, RandomTransform or BatchTransform");
      }
      TransformType.of(type);
      this.own.put(TransformNames.of(type), type);
    }
  }

  private static boolean isKind(Class<?> type) {
    return RandomTransform.class.isAssignableFrom(type)
        || BatchTransform.class.isAssignableFrom(type);
  }

  /** Reads a transform; {@code kind} is RandomTransform, Transform or BatchTransform. */
  Object read(String text, Class<?> kind) {
    JsonMembers members = JsonMembers.read("the transforms", text);
    long version = members.whole("version");
    if (version != TransformWriter.VERSION) {
      throw new IllegalArgumentException(
          "the transforms: version %d is not known, only %d"
              .formatted(version, TransformWriter.VERSION));
    }
    requireKnown(Set.of("version", "transform"), members.members(), "the transforms", "member");
    return transform(kind, members.members().get("transform"), "transform");
  }

  private static void requireKnown(
      Set<String> known, Map<String, ?> members, String where, String what) {
    Set<String> unknown = new LinkedHashSet<>(members.keySet());
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no %s '%s'; known are %s"
              .formatted(where, what, shortened(unknown.iterator().next()), known));
    }
  }

  private static String shortened(String name) {
    return name.length() <= 60 ? name : name.substring(0, 60) + "...";
  }

  private Object transform(Class<?> kind, @Nullable Object json, String where) {
    if (json instanceof List<?> list) {
      return composed(kind, list, where);
    }
    if (!(json instanceof Map<?, ?> map) || map.size() != 1) {
      throw new IllegalArgumentException(
          "%s must be a transform, {name: options}, or a list of them, was %s"
              .formatted(
                  where,
                  json instanceof Map<?, ?> members
                      ? "an object of %d members".formatted(members.size())
                      : ClassNames.ofType(json)));
    }
    String name = (String) map.keySet().iterator().next();
    String place = where + "." + shortened(name);
    JsonMembers members = JsonMembers.of(place, map.get(name));
    Object transform =
        kind == BatchTransform.class && name.equals("RandomChoice")
            ? choice(members)
            : named(name, members);
    if (!kind.isInstance(transform)) {
      throw new IllegalArgumentException(
          kind == Transform.class && transform instanceof RandomTransform
              ? place + " is random, where only transforms that draw nothing are taken"
              : "%s is no %s".formatted(place, kind.getSimpleName()));
    }
    return transform;
  }

  private Object composed(Class<?> kind, List<?> list, String where) {
    List<Object> parts = new ArrayList<>();
    for (Object each : list) {
      parts.add(transform(kind, each, where + "[" + parts.size() + "]"));
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(where + " must have a transform, was an empty list");
    }
    if (parts.size() == 1) {
      return parts.get(0);
    }
    if (kind == BatchTransform.class) {
      return parts.stream().map(BatchTransform.class::cast).reduce(BatchTransform::andThen).get();
    }
    List<?> flat = ComposedRandomTransform.flat(parts);
    return flat.stream().allMatch(Transform.class::isInstance)
        ? ComposedTransform.of(flat)
        : ComposedRandomTransform.of(flat);
  }

  private Object choice(JsonMembers members) {
    requireKnown(Set.of("transforms"), members.members(), members.where(), "option");
    List<BatchTransform> choices = new ArrayList<>();
    for (Object each : members.list("transforms")) {
      String place = members.where() + ".transforms[" + choices.size() + "]";
      choices.add((BatchTransform) transform(BatchTransform.class, each, place));
    }
    return created(members, () -> BatchTransform.oneOf(choices.toArray(BatchTransform[]::new)));
  }

  private Object named(String name, JsonMembers members) {
    Class<?> known = own.containsKey(name) ? own.get(name) : TransformNames.find(name);
    if (known == null) {
      throw new IllegalArgumentException(
          "%s: no transform of this name is known; the class of one of your own is given to fromJson"
              .formatted(members.where()));
    }
    TransformType type = TransformType.of(known);
    RecordType record = type.record();
    List<String> names = record.names();
    requireKnown(new LinkedHashSet<>(names), members.members(), members.where(), "option");
    Object[] values = new Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      Object json = members.members().get(names.get(i));
      Type wanted = record.types().get(i);
      String place = members.where() + "." + names.get(i);
      if (raw(wanted) == Optional.class) {
        values[i] =
            json == null ? Optional.empty() : Optional.of(value(element(wanted), json, place));
      } else if (json == null) {
        throw new IllegalArgumentException(place + " is missing");
      } else {
        values[i] = value(wanted, json, place);
      }
    }
    return created(members, () -> type.create(values));
  }

  /** Makes a transform; adds the place in the text to failures of the transform's own checks. */
  private static Object created(JsonMembers members, Supplier<Object> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException | ArithmeticException | IllegalStateException e) {
      throw new IllegalArgumentException("%s: %s".formatted(members.where(), e.getMessage()), e);
    }
  }

  private Object value(Type type, Object json, String where) {
    Class<?> raw = raw(type);
    if (isKind(raw)) {
      return transform(raw, json, where);
    }
    if (raw == List.class && json instanceof List<?> list) {
      return elements(element(type), list, where);
    }
    if (raw.isArray() && json instanceof List<?> list) {
      List<Object> elements = elements(raw.componentType(), list, where);
      Object array = Array.newInstance(raw.componentType(), elements.size());
      for (int i = 0; i < elements.size(); i++) {
        Array.set(array, i, elements.get(i));
      }
      return array;
    }
    if (raw.isRecord() && json instanceof List<?> list) {
      return tuple(RecordType.of(raw), list, where);
    }
    if (raw.isEnum() && json instanceof String name) {
      return constant(raw, name, where);
    }
    Class<?> boxed = MethodType.methodType(raw).wrap().returnType();
    return (boxed == String.class || boxed == Boolean.class) && boxed.isInstance(json)
        ? json
        : number(boxed, json, where);
  }

  private List<Object> elements(Type type, List<?> list, String where) {
    List<Object> elements = new ArrayList<>();
    for (Object each : list) {
      String place = where + "[" + elements.size() + "]";
      elements.add(value(type, required(each, place), place));
    }
    return elements;
  }

  private static Object required(@Nullable Object json, String where) {
    if (json == null) {
      throw new IllegalArgumentException(where + " must not be null");
    }
    return json;
  }

  private Object tuple(RecordType type, List<?> list, String where) {
    int count = type.names().size();
    if (list.size() != count) {
      throw new IllegalArgumentException(
          "%s must be a list of %d, %s, was one of %d"
              .formatted(where, count, type.names(), list.size()));
    }
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      String place = where + "[" + i + "]";
      values[i] = value(type.types().get(i), required(list.get(i), place), place);
    }
    return created(new JsonMembers(where, Map.of()), () -> type.create(values));
  }

  private static Object constant(Class<?> type, String name, String where) {
    for (Object each : type.getEnumConstants()) {
      if (each.toString().equals(name)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "%s must be one of %s, was '%s'"
            .formatted(where, List.of(type.getEnumConstants()), shortened(name)));
  }

  private static Object number(Class<?> type, Object json, String where) {
    if (json instanceof Number number) {
      if (type == Double.class) {
        return number.doubleValue();
      }
      if (type == Float.class) {
        return number.floatValue();
      }
      if (json instanceof Long whole && type == Long.class) {
        return whole;
      }
      if (json instanceof Long whole && type == Integer.class) {
        if (whole != whole.intValue()) {
          throw new IllegalArgumentException(
              "%s must be within 32 bits, was %d".formatted(where, whole));
        }
        return whole.intValue();
      }
    }
    throw new IllegalArgumentException(
        "%s must be %s, was %s".formatted(where, words(type), ClassNames.ofType(json)));
  }

  private static String words(Class<?> type) {
    if (type == Integer.class || type == Long.class) {
      return "a whole number";
    }
    if (type == Double.class || type == Float.class) {
      return "a number";
    }
    if (type == Boolean.class) {
      return "true or false";
    }
    if (type == String.class || type.isEnum()) {
      return "a string";
    }
    return type.isArray() || type == List.class || type.isRecord()
        ? "a list"
        : "of a type that JSON can hold (the class has a " + ClassNames.ofType(type) + ")";
  }

  private static Type element(Type type) {
    return type instanceof ParameterizedType parameterized
        ? parameterized.getActualTypeArguments()[0]
        : Object.class;
  }

  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> raw) {
      return raw;
    }
    if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    return type instanceof GenericArrayType array
        ? raw(array.getGenericComponentType()).arrayType()
        : Object.class;
  }
}
