package io.feedline.batch;

import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.RowCollator.Row;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** One column of a batch that a list collator makes, written row by row. Used by one thread. */
final class AssembledRows implements Row {

  private final BatchAssembler batch;
  private final Column column;
  private final ByteBuffer memory;
  private final int rowBytes;
  private final Object[] values;
  private int row;

  AssembledRows(Column column, int rows, BatchAssembler batch) {
    this.batch = batch;
    this.column = column;
    if (column instanceof Column.OfTensor tensor) {
      memory = batch.tensor(tensor.name(), tensor.dtype(), tensor.shape().prepend(rows));
      rowBytes = (int) tensor.rowBytes();
      values = null;
    } else {
      memory = null;
      rowBytes = 0;
      values = new Object[rows];
    }
  }

  Row row(int number) {
    row = number;
    return this;
  }

  /** Gives values to the batch, when all rows are written. */
  void finish() {
    if (values != null) {
      batch.values(column.name(), Arrays.asList(values));
    }
  }

  @Override
  public ByteBuffer bytes(int number) {
    return memory.slice(row * rowBytes, rowBytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public void putLong(int number, long value) {
    memory.putLong(row * rowBytes, value);
  }

  @Override
  public void putFloat(int number, float value) {
    memory.putFloat(row * rowBytes, value);
  }

  @Override
  public void putDouble(int number, double value) {
    memory.putDouble(row * rowBytes, value);
  }

  @Override
  public void putBoolean(int number, boolean value) {
    memory.put(row * rowBytes, (byte) (value ? 1 : 0));
  }

  @Override
  public void putValue(int number, Object value) {
    values[row] = value;
  }
}
