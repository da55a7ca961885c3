package io.feedline.batch;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A collator that plans a batch from one sample; then each sample writes itself into its row. */
@FunctionalInterface
public non-sealed interface RowCollator<T> extends Collator<T> {
  /**
   * Returns the plan for batches of samples like this one.
   *
   * @return a plan that {@link Plan#accepts accepts} this sample: the plan of an earlier call if
   *     that plan accepts the sample
   * @throws Exception if such a sample cannot be collated
   */
  Plan<T> plan(T sample) throws Exception;

  /** The way to write samples of one kind into rows: immutable, used by many workers at once. */
  interface Plan<T> {
    /** Returns the columns of the batch. */
    Layout layout();

    /** Returns whether a sample has exactly the layout's entries, dtypes and shapes. */
    boolean accepts(T sample);

    /**
     * Writes an accepted sample into all columns of its row.
     *
     * @param row must not be kept after the call
     * @throws Exception if the sample cannot be written, for example an image that cannot be
     *     decoded
     */
    void write(T sample, Row row) throws Exception;
  }

  /**
   * The columns of a batch, in order. All samples of a batch share one layout; two batches of a
   * loader may differ.
   *
   * @param columns the columns, with unique names
   */
  record Layout(List<Column> columns) {

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if two columns have one name
     */
    public Layout {
      columns = List.copyOf(columns);
      Set<String> names = new HashSet<>();
      for (Column column : columns) {
        if (!names.add(column.name())) {
          throw new IllegalArgumentException(
              "two entries of the batch are called '" + column.name() + "': " + columns);
        }
      }
    }
  }

  /**
   * The row of one sample in each column of a batch; one worker writes it once.
   *
   * <p>Columns are counted from 0, as in the batch's {@link RowCollator.Layout}. A method throws
   * {@link IllegalArgumentException} for a column of a kind that it does not write.
   */
  interface Row {
    /**
     * Returns the memory of this row of a {@link Column.OfTensor} column: a direct buffer in the
     * machine's byte order, position 0, limit the row's size; its content is arbitrary until it is
     * written.
     */
    ByteBuffer bytes(int column);

    /** Writes the only element of an {@link DType#INT64} column's row. */
    void putLong(int column, long value);

    /** Writes the only element of a {@link DType#FLOAT32} column's row. */
    void putFloat(int column, float value);

    /** Writes the only element of a {@link DType#FLOAT64} column's row. */
    void putDouble(int column, double value);

    /** Writes the only element of a {@link DType#BOOL} column's row. */
    void putBoolean(int column, boolean value);

    /**
     * Sets the value of a {@link Column.OfValues} column.
     *
     * @param value may be null
     */
    void putValue(int column, @Nullable Object value);
  }

  /**
   * One entry of a batch: either a tensor with one row per sample, or a list with one value per
   * sample.
   *
   * <p>Its name is the path of the entry within a sample, for example {@code image}, {@code
   * boxes.left} or {@code 0}; a sample that is a single value has the name {@code data}.
   */
  sealed interface Column {

    /** Returns the entry's name, unique within the batch. */
    String name();

    /**
     * An entry that is stacked into a tensor.
     *
     * @param shape the shape of one row, without the batch axis
     */
    record OfTensor(String name, DType dtype, Shape shape) implements Column {
      public OfTensor {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(dtype, "dtype");
        Objects.requireNonNull(shape, "shape");
      }

      /** Returns the bytes of one row. */
      public long rowBytes() {
        return Tensor.byteSize(dtype, shape);
      }

      @Override
      public String toString() {
        return "'%s' %s %s".formatted(name, dtype, shape);
      }
    }

    /** An entry whose values are collected in a list, unchanged. */
    record OfValues(String name) implements Column {
      public OfValues {
        Objects.requireNonNull(name, "name");
      }

      @Override
      public String toString() {
        return "'%s' values".formatted(name);
      }
    }
  }
}
