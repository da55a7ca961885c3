package io.feedline;

import java.nio.ByteBuffer;

/**
 * The place of one sample in a batch: one row of each column, to be written once, by one worker.
 *
 * <p>Columns are counted as in the batch's {@link BatchLayout}. A row must not be kept after the
 * call that it was given to.
 */
public interface Row {
  /** Returns which row of the batch this is, from 0. */
  int number();

  /**
   * Returns the memory of a tensor column's row: a direct buffer in the machine's byte order,
   * position 0, limit the row's size; its content is arbitrary until it is written.
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

  /** Sets the value of a value column. */
  void putValue(int column, Object value);
}
