package io.feedline;

import java.nio.ByteBuffer;

/**
 * The place of one sample in a batch: one row of each column, to be written once, by one worker.
 *
 * <p>Columns are counted from 0, as in the batch's {@link BatchLayout}. A column of another kind
 * than a method writes is an {@link IllegalArgumentException}. A row belongs to the thread that is
 * called with it, and must not be kept after the call.
 */
public interface Row {
  /** Returns which row of the batch this is, from 0. */
  int number();

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
  void putValue(int column, Object value);
}
