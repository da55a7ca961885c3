package io.feedline.formats.store;

/**
 * The type of a field that a sample has beside its image, key and label, where tasks write it.
 *
 * <p>WebDataset has an entry for each field, {@code KEY.NAME.txt} for text, {@code KEY.NAME.json}
 * for numbers, {@code KEY.NAME} for bytes; MDS a column, which no sample may lack; TFRecord a
 * feature.
 */
public enum FieldType {
  /** A {@link String}, stored in UTF-8. In MDS it is a {@code str}. */
  TEXT,
  /** A {@link Long}. In MDS it is an {@code int}, in TFRecord an {@code int64}. */
  INTEGER,
  /**
   * A {@link Double}. In MDS it is a {@code float64}; in TFRecord a {@code float}, of which 32 bits
   * are kept; WebDataset refuses what JSON has no form for: infinities, and what is no number.
   */
  REAL,
  /** A {@code byte[]}, neither copied nor to be changed before the writer returns. */
  BYTES
}
