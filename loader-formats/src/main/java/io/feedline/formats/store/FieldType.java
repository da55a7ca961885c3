package io.feedline.formats.store;

/** The type of a field that a sample has beside its image, key and label. */
public enum FieldType {
  /** A {@link String}. */
  TEXT,
  /** A {@link Long}. */
  INTEGER,
  /** A {@link Double}. */
  REAL,
  /** A {@code byte[]}. */
  BYTES
}
