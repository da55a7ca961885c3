package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;

/** Rows that are computed when they are read: each from one underlying row of the same width. */
public interface DerivedRows extends PixelRows {

  /** Returns the underlying rows, which are closed with these rows. */
  PixelRows rows();

  @Override
  default int width() {
    return rows().width();
  }

  @Override
  default int height() {
    return rows().height();
  }

  @Override
  default void close() {
    rows().close();
  }
}
