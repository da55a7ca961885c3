package io.feedline.internal;

import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** Names for objects without a name of their own, and for types in messages. */
public final class ClassNames {

  private ClassNames() {}

  /**
   * Returns the name of an object's class. For a lambda, whose own name differs between runs,
   * returns the name of the class that contains the lambda.
   */
  public static String of(Object object) {
    Class<?> type = object.getClass();
    if (type.isHidden()) {
      String name = type.getName();
      int lambda = name.indexOf("$$Lambda");
      return lambda < 0 ? "lambda" : name.substring(name.lastIndexOf('.', lambda) + 1, lambda);
    }
    String simpleName = type.getSimpleName();
    return simpleName.isEmpty() ? type.getName() : simpleName;
  }

  /** Returns a value's type as Java writes it: {@code float[][]}; {@code null} for null. */
  public static String ofType(@Nullable Object value) {
    return value == null ? "null" : ofType(value.getClass());
  }

  /**
   * Returns a type as Java writes it; a type of the JDK, without its package. A hidden class of the
   * JDK, such as the classes of {@code List.of}, gets the name of its public type: {@code List}.
   */
  public static String ofType(Class<?> type) {
    if (type.isArray()) {
      return ofType(type.componentType()) + "[]";
    }
    if (type.getPackageName().startsWith("java.") && !isVisible(type)) {
      return ofType(visible(type));
    }
    String simpleName = type.getSimpleName();
    boolean known = type.getPackageName().startsWith("java.") && !simpleName.isEmpty();
    String name = type.getCanonicalName();
    return known ? simpleName : name == null ? type.getName() : name;
  }

  private static boolean isVisible(Class<?> type) {
    boolean skeleton =
        type.getSimpleName().startsWith("Abstract") && type.getInterfaces().length > 0;
    return Modifier.isPublic(type.getModifiers()) && !skeleton;
  }

  private static Class<?> visible(Class<?> hidden) {
    Class<?> type = hidden;
    while (!isVisible(type)) {
      for (Class<?> each : type.getInterfaces()) {
        boolean ofJava = each.getPackageName().startsWith("java.");
        if (ofJava && Modifier.isPublic(each.getModifiers()) && each.getMethods().length > 0) {
          return each;
        }
      }
      type = type.getSuperclass();
    }
    return type;
  }
}
