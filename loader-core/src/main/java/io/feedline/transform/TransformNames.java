package io.feedline.transform;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The transforms that any text may name: of this library, and of libraries on the class path. */
final class TransformNames {

  private static final Map<String, Class<?>> CLASSES = new TreeMap<>();
  private static final Map<Class<?>, String> NAMES = new HashMap<>();

  static {
    add("RandomApply", RandomApply.class);
    add("RandomChoice", RandomChoice.class);
    add("RandomOrder", RandomOrder.class);
    ServiceLoader.load(Transforms.Library.class, Transforms.class.getClassLoader())
        .forEach(library -> library.transforms().forEach(TransformNames::add));
  }

  private TransformNames() {}

  private static void add(String name, Class<?> type) {
    Class<?> before = CLASSES.put(name, type);
    if (before != null && before != type) {
      throw new ServiceConfigurationError(
          "the transform '%s' is both %s and %s".formatted(name, before.getName(), type.getName()));
    }
    NAMES.put(type, name);
  }

  static @Nullable Class<?> find(String name) {
    return CLASSES.get(name);
  }

  static String of(Class<?> type) {
    return NAMES.getOrDefault(type, type.getName());
  }
}
