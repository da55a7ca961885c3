package io.feedline.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A class of records, data classes or beans, whose objects are read and created by reflection.
 * Thread-safe. These classes are treated like records:
 *
 * <ul>
 *   <li>Kotlin's data classes: {@code component1()}, {@code component2()}, ..., and a constructor
 *       with parameters of their types. The names are the names of the fields, in the same order.
 *   <li>beans: a constructor without parameters, and a getter and a setter for each field, fields
 *       of superclasses first.
 * </ul>
 *
 * <p>Classes of the JDK and of Kotlin's library are not like records.
 */
public final class RecordType {

  private static final ClassValue<Optional<RecordType>> TYPES =
      new ClassValue<>() {
        @Override
        protected Optional<RecordType> computeValue(Class<?> type) {
          return Optional.ofNullable(find(type));
        }
      };

  private final List<String> names;
  private final List<Type> types;
  private final MethodHandle[] accessors;

  /** The constructor; it takes all components of a record, and nothing for a bean. */
  private final MethodHandle constructor;

  /** The setters of a bean; empty for other classes. */
  private final MethodHandle[] setters;

  private RecordType(
      Class<?> type,
      List<String> names,
      List<Method> accessors,
      Constructor<?> constructor,
      List<Method> setters) {
    this.names = List.copyOf(names);
    this.types = accessors.stream().map(Method::getGenericReturnType).toList();
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      // Records that are private to a class are read, too.
      this.accessors = new MethodHandle[accessors.size()];
      for (int i = 0; i < this.accessors.length; i++) {
        accessors.get(i).setAccessible(true);
        this.accessors[i] =
            lookup
                .unreflect(accessors.get(i))
                .asType(MethodType.methodType(Object.class, Object.class));
      }
      this.setters = new MethodHandle[setters.size()];
      for (int i = 0; i < this.setters.length; i++) {
        setters.get(i).setAccessible(true);
        this.setters[i] =
            lookup
                .unreflect(setters.get(i))
                .asType(MethodType.methodType(void.class, Object.class, Object.class));
      }
      constructor.setAccessible(true);
      this.constructor =
          lookup
              .unreflectConstructor(constructor)
              .asFixedArity()
              .asSpreader(Object[].class, constructor.getParameterCount())
              .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw closed(type, e);
    }
  }

  private static IllegalArgumentException closed(Class<?> type, Exception cause) {
    return new IllegalArgumentException(
        "the components of %s cannot be read from outside; make the class public or open its package"
            .formatted(ClassNames.ofType(type)),
        cause);
  }

  private static @Nullable RecordType find(Class<?> type) {
    if (type.isRecord()) {
      RecordComponent[] components = type.getRecordComponents();
      Constructor<?> canonical =
          constructor(type, Arrays.stream(components).map(RecordComponent::getType).toList());
      return new RecordType(
          type,
          Arrays.stream(components).map(RecordComponent::getName).toList(),
          Arrays.stream(components).map(RecordComponent::getAccessor).toList(),
          canonical,
          List.of());
    }
    String name = type.getName();
    boolean foreign =
        type.isArray()
            || type.isPrimitive()
            || type.isInterface()
            || type.isEnum()
            || Modifier.isAbstract(type.getModifiers())
            || type.isHidden()
            || name.startsWith("java.")
            || name.startsWith("javax.")
            || name.startsWith("kotlin.");
    if (foreign) {
      return null;
    }
    RecordType dataClass = dataClass(type);
    return dataClass == null ? bean(type) : dataClass;
  }

  private static @Nullable RecordType dataClass(Class<?> type) {
    List<Method> components = new ArrayList<>();
    Method component = method(type, "component1", null);
    while (component != null) {
      components.add(component);
      component = method(type, "component" + (components.size() + 1), null);
    }
    List<Field> fields = fields(type);
    Constructor<?> constructor =
        constructor(type, components.stream().<Class<?>>map(Method::getReturnType).toList());
    if (components.isEmpty() || constructor == null || fields.size() < components.size()) {
      return null;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < components.size(); i++) {
      if (fields.get(i).getType() != components.get(i).getReturnType()) {
        return null;
      }
      names.add(fields.get(i).getName());
    }
    return new RecordType(type, names, components, constructor, List.of());
  }

  private static @Nullable RecordType bean(Class<?> type) {
    Constructor<?> constructor = constructor(type, List.of());
    List<Field> fields = new ArrayList<>();
    for (Class<?> owner = type; owner != Object.class; owner = owner.getSuperclass()) {
      fields.addAll(0, fields(owner));
    }
    if (constructor == null || fields.isEmpty()) {
      return null;
    }
    List<String> names = new ArrayList<>();
    List<Method> getters = new ArrayList<>();
    List<Method> setters = new ArrayList<>();
    for (Field field : fields) {
      String name = field.getName();
      String capital = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
      Method getter = method(type, "get" + capital, null);
      if (getter == null && field.getType() == boolean.class) {
        getter = method(type, "is" + capital, null);
      }
      Method setter = method(type, "set" + capital, field.getType());
      if (getter == null || setter == null || getter.getReturnType() != field.getType()) {
        return null;
      }
      names.add(name);
      getters.add(getter);
      setters.add(setter);
    }
    return new RecordType(type, names, getters, constructor, setters);
  }

  private static List<Field> fields(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .toList();
  }

  private static @Nullable Method method(Class<?> type, String name, @Nullable Class<?> parameter) {
    try {
      Method method = parameter == null ? type.getMethod(name) : type.getMethod(name, parameter);
      return Modifier.isStatic(method.getModifiers()) ? null : method;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static @Nullable Constructor<?> constructor(
      Class<?> type, List<? extends Class<?>> parameters) {
    try {
      return type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  public static boolean isRecord(@Nullable Object value) {
    return value instanceof Record || (value != null && TYPES.get(value.getClass()).isPresent());
  }

  /**
   * Returns the type of a class. Throws an {@link IllegalArgumentException} for a class that is not
   * like a record, and for a class that its module keeps closed.
   */
  public static RecordType of(Class<?> type) {
    return TYPES
        .get(type)
        .orElseThrow(
            () -> new IllegalArgumentException(ClassNames.ofType(type) + " is not like a record"));
  }

  public List<String> names() {
    return names;
  }

  public List<Type> types() {
    return types;
  }

  public Object get(Object record, int component) {
    try {
      return (Object) accessors[component].invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("an accessor of a record threw a checked exception", e);
    }
  }

  public Object create(Object[] components) {
    try {
      if (setters.length == 0) {
        return (Object) constructor.invokeExact(components);
      }
      Object bean = (Object) constructor.invokeExact(new Object[0]);
      for (int i = 0; i < setters.length; i++) {
        setters[i].invokeExact(bean, components[i]);
      }
      return bean;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a constructor of a record threw a checked exception", e);
    }
  }
}
