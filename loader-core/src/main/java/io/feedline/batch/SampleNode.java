package io.feedline.batch;

import io.feedline.batch.RowCollator.Row;
import io.feedline.internal.RecordType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An entry of a sample, with the entries inside it: a node of a {@link DefaultCollator}'s plan. The
 * first sample makes the nodes; later samples are checked and written along them.
 */
sealed interface SampleNode {

  /** Returns whether an entry has the node's kind, dtypes and shapes; false for null. */
  boolean accepts(Object entry);

  /** Writes an accepted entry. */
  void write(Object entry, Row row) throws Exception;

  record OfSource(int column, DType dtype, Shape shape) implements SampleNode {
    @Override
    public boolean accepts(Object entry) {
      return entry instanceof TensorSource source
          && source.dtype() == dtype
          && source.shape().equals(shape);
    }

    @Override
    public void write(Object entry, Row row) throws Exception {
      ((TensorSource) entry).writeTo(row.bytes(column));
    }
  }

  enum NumberKind {
    INTEGER(DType.INT64),
    FLOAT(DType.FLOAT32),
    DOUBLE(DType.FLOAT64),
    BOOLEAN(DType.BOOL);

    final DType dtype;

    NumberKind(DType dtype) {
      this.dtype = dtype;
    }

    /** Returns the kind of a number or a boolean; null for any other entry. */
    static NumberKind of(Object entry) {
      if (entry instanceof Integer
          || entry instanceof Long
          || entry instanceof Short
          || entry instanceof Byte) {
        return INTEGER;
      }
      if (entry instanceof Float) {
        return FLOAT;
      }
      if (entry instanceof Double) {
        return DOUBLE;
      }
      return entry instanceof Boolean ? BOOLEAN : null;
    }
  }

  record OfNumber(int column, NumberKind kind) implements SampleNode {
    @Override
    public boolean accepts(Object entry) {
      return NumberKind.of(entry) == kind;
    }

    @Override
    public void write(Object entry, Row row) {
      switch (kind) {
        case INTEGER -> row.putLong(column, ((Number) entry).longValue());
        case FLOAT -> row.putFloat(column, (Float) entry);
        case DOUBLE -> row.putDouble(column, (Double) entry);
        case BOOLEAN -> row.putBoolean(column, (Boolean) entry);
      }
    }
  }

  record OfArray(int column, Class<?> type, ArrayKind kind, Shape shape) implements SampleNode {
    @Override
    public boolean accepts(Object entry) {
      return entry != null && entry.getClass() == type && ArrayKind.hasShape(entry, shape);
    }

    @Override
    public void write(Object entry, Row row) {
      kind.put(entry, row.bytes(column));
    }
  }

  /** A string, bytes or an enum constant, which is kept unchanged. */
  record OfValue(int column) implements SampleNode {
    static boolean isValue(Object entry) {
      return entry instanceof CharSequence || entry instanceof byte[] || entry instanceof Enum<?>;
    }

    @Override
    public boolean accepts(Object entry) {
      return isValue(entry);
    }

    @Override
    public void write(Object entry, Row row) {
      row.putValue(column, entry);
    }
  }

  record OfRecord(Class<?> type, RecordType components, List<SampleNode> children)
      implements SampleNode {
    @Override
    public boolean accepts(Object entry) {
      if (entry == null || entry.getClass() != type) {
        return false;
      }
      for (int i = 0; i < children.size(); i++) {
        if (!children.get(i).accepts(components.get(entry, i))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void write(Object entry, Row row) throws Exception {
      for (int i = 0; i < children.size(); i++) {
        children.get(i).write(components.get(entry, i), row);
      }
    }
  }

  /** A map with exactly these keys, in any order. */
  record OfMap(List<String> keys, List<SampleNode> children) implements SampleNode {
    @Override
    public boolean accepts(Object entry) {
      if (!(entry instanceof Map<?, ?> map) || map.size() != children.size()) {
        return false;
      }
      for (int i = 0; i < children.size(); i++) {
        if (!children.get(i).accepts(lookUp(map, keys.get(i)))) {
          return false;
        }
      }
      return true;
    }

    private static Object lookUp(Map<?, ?> map, String key) {
      try {
        return map.get(key);
      } catch (ClassCastException e) {
        // A sorted map whose keys cannot be compared with a string does not have this key.
        return null;
      }
    }

    @Override
    public void write(Object entry, Row row) throws Exception {
      Map<?, ?> map = (Map<?, ?>) entry;
      for (int i = 0; i < children.size(); i++) {
        children.get(i).write(map.get(keys.get(i)), row);
      }
    }
  }

  /** A list, or an array of objects, of a fixed length. */
  record OfList(List<SampleNode> children) implements SampleNode {
    /** Returns a list or object array as a list; null otherwise, as for a {@code float[][]}. */
    static List<?> asList(Object entry) {
      if (entry instanceof List<?> list) {
        return list;
      }
      return entry instanceof Object[] array && ArrayKind.of(array) == null
          ? Arrays.asList(array)
          : null;
    }

    @Override
    public boolean accepts(Object entry) {
      List<?> list = asList(entry);
      if (list == null || list.size() != children.size()) {
        return false;
      }
      for (int i = 0; i < children.size(); i++) {
        if (!children.get(i).accepts(list.get(i))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void write(Object entry, Row row) throws Exception {
      List<?> list = asList(entry);
      for (int i = 0; i < children.size(); i++) {
        children.get(i).write(list.get(i), row);
      }
    }
  }
}
