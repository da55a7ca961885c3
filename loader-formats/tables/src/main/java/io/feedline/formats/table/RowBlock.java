package io.feedline.formats.table;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ColumnValues;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Some rows as they go into samples. Not changed once it is made.
 *
 * @param file that has them
 * @param rows how many there are
 * @param parts of each row, in the order of the sample
 * @param failures why rows are broken, by row
 */
record RowBlock(Path file, int rows, Part[] parts, Map<Integer, String> failures) {

  /** Returns about how much memory it takes. */
  long bytes() {
    return Stream.of(parts).mapToLong(Part::bytes).sum();
  }

  /** An entry of the sample for all rows. */
  sealed interface Part {
    /** Returns about how much memory it takes. */
    long bytes();

    /** The entry of a row. */
    Object of(int row) throws FormatException;
  }

  /**
   * The numbers of some columns, row by row, in the machine's byte order.
   *
   * @param memory of all rows
   * @param rowBytes of one
   */
  record Tensors(DType dtype, Shape shape, byte[] memory, int rowBytes) implements Part {
    @Override
    public long bytes() {
      return memory.length;
    }

    @Override
    public Object of(int row) {
      return new Row(this, row);
    }
  }

  /** The numbers of a row, which are written by one copy. */
  private record Row(Tensors all, int row) implements TensorSource {
    @Override
    public DType dtype() {
      return all.dtype;
    }

    @Override
    public Shape shape() {
      return all.shape;
    }

    @Override
    public void writeTo(ByteBuffer target) {
      target.put(all.memory, row * all.rowBytes, all.rowBytes);
    }
  }

  /**
   * A column as values of Java.
   *
   * @param form makes a value
   */
  record Values(ColumnValues column, ValueForm form) implements Part {
    @Override
    public long bytes() {
      return column.bytes();
    }

    @Override
    public Object of(int row) throws FormatException {
      return form.of(column, row);
    }
  }

  /** A maker of a column's values. */
  @FunctionalInterface
  interface ValueForm {
    /** The value of a row. */
    Object of(ColumnValues column, int row) throws FormatException;
  }
}
