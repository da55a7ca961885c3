package io.feedline.batch;

import io.feedline.internal.ClassNames;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.function.Consumer;

/** The kinds of arrays, of any number of axes, that become tensors; {@code byte[]} is left out. */
enum ArrayKind {
  FLOATS(float.class, DType.FLOAT32),
  LONGS(long.class, DType.INT64),
  INTS(int.class, DType.INT32),
  DOUBLES(double.class, DType.FLOAT64),
  SHORTS(short.class, DType.INT16),
  BOOLEANS(boolean.class, DType.BOOL);

  private static final ArrayKind[] ALL = values();

  private final Class<?> element;
  final DType dtype;

  ArrayKind(Class<?> element, DType dtype) {
    this.element = element;
    this.dtype = dtype;
  }

  /** Returns the kind of an array, of any number of axes; null if the entry is anything else. */
  static ArrayKind of(Object entry) {
    if (entry == null || !entry.getClass().isArray()) {
      return null;
    }
    Class<?> element = entry.getClass();
    while (element.isArray()) {
      element = element.componentType();
    }
    for (ArrayKind kind : ALL) {
      if (kind.element == element) {
        return kind;
      }
    }
    return null;
  }

  /**
   * Returns the lengths of an array's axes; all lengths after a length of 0 are 0.
   *
   * @throws IllegalArgumentException if rows differ in length, or a row is null
   */
  static Shape shapeOf(String named, Object array) {
    int rank = 0;
    for (Class<?> type = array.getClass(); type.isArray(); type = type.componentType()) {
      rank++;
    }
    long[] lengths = new long[rank];
    Object first = array;
    for (int axis = 0; axis < rank && first != null; axis++) {
      lengths[axis] = Array.getLength(first);
      first = first instanceof Object[] rows && rows.length > 0 ? rows[0] : null;
    }
    if (array instanceof Object[] rows) {
      checkRows(named + " is of type " + ClassNames.ofType(array), rows, lengths, 1, "");
    }
    return Shape.of(lengths);
  }

  private static void checkRows(
      String entry, Object[] rows, long[] lengths, int axis, String path) {
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] == null) {
        throw new IllegalArgumentException(
            "%s, whose row %s[%d] is null; a sample has no nulls".formatted(entry, path, i));
      }
      if (Array.getLength(rows[i]) != lengths[axis]) {
        throw new IllegalArgumentException(
            ("%s, whose rows differ in length: row %s has length %d, row %s[%d] has length %d. Pad"
                    + " or cut them to one length in Dataset.map to make a tensor of them, or make"
                    + " a List of them, in which each is an entry of its own")
                .formatted(
                    entry, "[0]".repeat(axis), lengths[axis], path, i, Array.getLength(rows[i])));
      }
      if (rows[i] instanceof Object[] inner) {
        checkRows(entry, inner, lengths, axis + 1, path + "[" + i + "]");
      }
    }
  }

  /** Tests whether an array has a shape; both must have the same number of axes. */
  static boolean hasShape(Object array, Shape shape) {
    return hasLengths(array, shape, 0);
  }

  private static boolean hasLengths(Object array, Shape shape, int axis) {
    if (array == null || Array.getLength(array) != shape.length(axis)) {
      return false;
    }
    if (array instanceof Object[] rows) {
      for (Object row : rows) {
        if (!hasLengths(row, shape, axis + 1)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads a new array of one axis from the buffer's position on; does not move the position. */
  Object get(ByteBuffer source, int length) {
    Object array = Array.newInstance(element, length);
    switch (this) {
      case SHORTS -> source.asShortBuffer().get((short[]) array);
      case INTS -> source.asIntBuffer().get((int[]) array);
      case LONGS -> source.asLongBuffer().get((long[]) array);
      case FLOATS -> source.asFloatBuffer().get((float[]) array);
      case DOUBLES -> source.asDoubleBuffer().get((double[]) array);
      case BOOLEANS -> {
        boolean[] booleans = (boolean[]) array;
        for (int i = 0; i < length; i++) {
          booleans[i] = source.get(source.position() + i) != 0;
        }
      }
    }
    return array;
  }

  /** Writes an array from the buffer's position on, one run along the last axis at a time. */
  void put(Object array, ByteBuffer target) {
    switch (this) {
      case SHORTS -> {
        ShortBuffer out = target.asShortBuffer();
        forEachRun(array, run -> out.put((short[]) run));
      }
      case INTS -> {
        IntBuffer out = target.asIntBuffer();
        forEachRun(array, run -> out.put((int[]) run));
      }
      case LONGS -> {
        LongBuffer out = target.asLongBuffer();
        forEachRun(array, run -> out.put((long[]) run));
      }
      case FLOATS -> {
        FloatBuffer out = target.asFloatBuffer();
        forEachRun(array, run -> out.put((float[]) run));
      }
      case DOUBLES -> {
        DoubleBuffer out = target.asDoubleBuffer();
        forEachRun(array, run -> out.put((double[]) run));
      }
      case BOOLEANS ->
          forEachRun(
              array,
              run -> {
                for (boolean element : (boolean[]) run) {
                  target.put((byte) (element ? 1 : 0));
                }
              });
    }
  }

  private static void forEachRun(Object array, Consumer<Object> writer) {
    if (array instanceof Object[] rows) {
      for (Object row : rows) {
        forEachRun(row, writer);
      }
    } else {
      writer.accept(array);
    }
  }
}
