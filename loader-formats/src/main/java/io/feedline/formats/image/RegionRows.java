package io.feedline.formats.image;

/** The rows of a region of an image: as many and as wide as the region. */
interface RegionRows extends PixelRows {

  /** The region. */
  Region region();

  @Override
  default int width() {
    return region().width();
  }

  @Override
  default int height() {
    return region().height();
  }
}
