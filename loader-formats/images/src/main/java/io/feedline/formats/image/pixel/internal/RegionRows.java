package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;

/** The rows of a region of an image, with the region's height and width. */
public interface RegionRows extends PixelRows {

  Region region();

  @Override
  default int width() {
    return region().width();
  }

  @Override
  default int height() {
    return region().height();
  }

  /** Does nothing by default: the rows are in memory. */
  @Override
  default void close() {}
}
