package io.feedline;

/**
 * The plan by which samples of one kind are written into rows: immutable, used by many workers at
 * once.
 *
 * @param <T> a sample
 */
public interface RowPlan<T> {
  /** Returns the columns of the batch. */
  BatchLayout layout();

  /**
   * Tells whether a sample has exactly the layout's entries, dtypes and shapes, so that {@link
   * #write} can write it.
   */
  boolean accepts(T sample);

  /**
   * Writes an accepted sample into its row, all columns of it.
   *
   * @param sample one that this plan {@link #accepts}
   * @param row where it goes; must not be kept after the call
   * @throws Exception if the sample cannot be written, for example an image that cannot be decoded
   */
  void write(T sample, Row row) throws Exception;
}
