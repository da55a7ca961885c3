package io.feedline.formats.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.TableFile.Need;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of a column's values to Java values. If {@code type} is null, a value gets the
 * Java type of its column. {@code absent} replaces null values; if {@code absent} is null, a null
 * value is an error.
 */
record JavaValues(
    @Nullable Class<?> type, @Nullable Object absent, @Nullable Vocabulary vocabulary) {

  static final String NULL = "the value is null; missing(value, \"%s\") gives a default";
  static final String IS_NAN = "the value is NaN; missing(value, \"%s\") gives a default";

  private static final Set<Class<?>> WHOLE =
      Set.of(
          long.class,
          int.class,
          short.class,
          byte.class,
          boolean.class,
          Long.class,
          Integer.class,
          Short.class,
          Byte.class,
          Boolean.class,
          long[].class,
          int[].class,
          short[].class,
          boolean[].class);
  private static final Set<Class<?>> REAL =
      Set.of(double.class, float.class, Double.class, Float.class, double[].class, float[].class);
  private static final Set<Class<?>> OTHER =
      Set.of(String.class, byte[].class, List.class, Object.class);

  static Need need(Class<?> type) {
    return WHOLE.contains(type) ? Need.WHOLE : REAL.contains(type) ? Need.REAL : Need.ANY;
  }

  static boolean isKnown(Class<?> type) {
    return WHOLE.contains(type) || REAL.contains(type) || OTHER.contains(type);
  }

  void check(String name, ColumnValues column) throws FormatException {
    if (vocabulary != null) {
      RowPlan.requireNames(name, column);
    }
    if (type == null || type == Object.class) {
      return;
    }
    boolean list = type == List.class || (type.isArray() && type != byte[].class);
    boolean fits = list == column.isList();
    if (vocabulary != null) {
      // A vocabulary converts names to whole numbers, so the component must be a whole number.
      fits &= WHOLE.contains(type);
    } else if (type == String.class) {
      fits &= column.kind() == Kind.TEXT;
    } else if (type == byte[].class) {
      fits &= column.kind() == Kind.BYTES;
    } else {
      // Lists of numbers become arrays, and other lists become a List.
      fits &= (type == List.class) != column.kind().isNumber();
    }
    if (!fits) {
      throw new FormatException(
          "column '%s': it has %s%s, which do not fit the component's type %s"
              .formatted(
                  name, column.isList() ? "lists of " : "", column.kind(), type.getSimpleName()));
    }
  }

  Object of(ColumnValues column, int row) throws FormatException {
    if (!column.isList()) {
      return scalar(column, row, type);
    }
    if (column.isNullList(row) && absent == null) {
      throw new FormatException("the list is null; missing(...) makes it empty");
    }
    int from = column.from(row);
    int count = column.isNullList(row) ? 0 : column.to(row) - from;
    if (vocabulary == null && !column.kind().isNumber()) {
      List<Object> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        list.add(scalar(column, from + i, null));
      }
      return list;
    }
    Class<?> element = type != null && type.isArray() ? type.getComponentType() : natural(column);
    if (element == int.class) {
      int[] array = new int[count];
      for (int i = 0; i < count; i++) {
        array[i] = (int) whole(column, from + i, Integer.MIN_VALUE, Integer.MAX_VALUE);
      }
      return array;
    }
    if (element == long.class) {
      long[] array = new long[count];
      for (int i = 0; i < count; i++) {
        array[i] = whole(column, from + i, Long.MIN_VALUE, Long.MAX_VALUE);
      }
      return array;
    }
    if (element == float.class) {
      float[] array = new float[count];
      for (int i = 0; i < count; i++) {
        array[i] = (float) real(column, from + i);
      }
      return array;
    }
    if (element == double.class) {
      double[] array = new double[count];
      for (int i = 0; i < count; i++) {
        array[i] = real(column, from + i);
      }
      return array;
    }
    Object array = Array.newInstance(element, count);
    for (int i = 0; i < count; i++) {
      Array.set(array, i, scalar(column, from + i, element));
    }
    return array;
  }

  private Object scalar(ColumnValues column, int at, @Nullable Class<?> as) throws FormatException {
    boolean names = column.kind() == Kind.TEXT && vocabulary == null;
    if (names || column.kind() == Kind.BYTES) {
      if (!column.isNull(at)) {
        Object value = column.object(at);
        // The value is copied: the column may be kept, and the user may write into the returned
        // array.
        return value instanceof byte[] bytes ? bytes.clone() : value;
      }
      String text = present().toString();
      return names ? text : (Object) text.getBytes(UTF_8);
    }
    Class<?> to = as == null || as == Object.class ? natural(column) : as;
    if (to == long.class || to == Long.class) {
      return whole(column, at, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    if (to == int.class || to == Integer.class) {
      return (int) whole(column, at, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    if (to == short.class || to == Short.class) {
      return (short) whole(column, at, Short.MIN_VALUE, Short.MAX_VALUE);
    }
    if (to == byte.class || to == Byte.class) {
      return (byte) whole(column, at, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }
    if (to == boolean.class || to == Boolean.class) {
      return whole(column, at, 0, 1) == 1;
    }
    double real = real(column, at);
    return to == float.class || to == Float.class ? (Object) (float) real : (Object) real;
  }

  private Class<?> natural(ColumnValues column) {
    if (vocabulary != null) {
      return long.class;
    }
    return switch (column.kind()) {
      case BOOL -> boolean.class;
      case FLOAT -> float.class;
      case DOUBLE -> double.class;
      default -> long.class;
    };
  }

  private Object present() throws FormatException {
    if (absent == null) {
      throw new FormatException("the value is null; missing(...) gives a default");
    }
    return absent;
  }

  private Number number() throws FormatException {
    if (present() instanceof Number number) {
      return number;
    }
    throw new FormatException("the value is null, and '%s' is not a number".formatted(absent));
  }

  private long whole(ColumnValues column, int at, long least, long most) throws FormatException {
    long value;
    if (vocabulary != null) {
      String name = column.isNull(at) ? present().toString() : RowPlan.name(column, at);
      value = vocabulary.find(name);
      if (value < 0) {
        throw new FormatException(vocabulary.problem(name));
      }
    } else if (column.isNull(at)) {
      Number number = number();
      value = hasWholeType(number) ? number.longValue() : whole(number.doubleValue());
    } else if (column.kind().isWhole()) {
      value = column.whole(at);
      if (value < 0 && column.kind() == Kind.UNSIGNED) {
        throw new FormatException(
            Long.toUnsignedString(value) + " does not fit into 64 bits with a sign");
      }
    } else {
      value = whole(column.real(at));
    }
    if (value < least || value > most) {
      throw new FormatException("%d is not from %d to %d".formatted(value, least, most));
    }
    return value;
  }

  private static long whole(double real) throws FormatException {
    if (!isWhole(real)) {
      throw new FormatException("%s is not a whole number of 64 bits".formatted(real));
    }
    return (long) real;
  }

  /** Tests whether a number is an integer that fits a long; a cast turns 2^63 into 2^63 - 1. */
  static boolean isWhole(double real) {
    return real == (long) real && real != 0x1p63;
  }

  static boolean hasWholeType(Object absent) {
    return absent instanceof Long
        || absent instanceof Integer
        || absent instanceof Short
        || absent instanceof Byte;
  }

  private double real(ColumnValues column, int at) throws FormatException {
    return column.isNull(at) ? number().doubleValue() : column.real(at);
  }
}
