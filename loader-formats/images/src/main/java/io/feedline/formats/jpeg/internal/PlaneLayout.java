package io.feedline.formats.jpeg.internal;

/**
 * The layout in which the samples of an image become pixels at a scale: the number of samples that
 * a block gives in either direction, and the stretching of chroma over luma.
 *
 * <p>A scale of 2, 4 or 8 makes blocks of 4, 2 or 1 samples in either direction, by a shorter
 * transform of their lowest frequencies. Where chroma is subsampled in both directions, its blocks
 * keep twice the size of luma's rather than being halved and then stretched again. All rules are
 * those of libjpeg-turbo: {@code jdmaster.c} (sizes) and {@code jdsample.c} (stretching).
 *
 * @param scale 1, 2, 4 or 8: the divisor of width and height
 */
record PlaneLayout(McuGrid grid, int scale) {
  /** The stretching of chroma. */
  enum Stretch {
    /** A sample is repeated for all pixels that it covers; 1 or more in either direction. */
    REPEAT,
    /** Twice as wide, by a triangle filter. */
    ACROSS,
    /** Twice as high, by a triangle filter. */
    DOWN,
    /** Twice as wide and high, by a triangle filter. */
    BOTH;

    /** Tests whether a triangle filter looks at the samples on the left and on the right. */
    boolean across() {
      return this == ACROSS || this == BOTH;
    }

    /** Tests whether a triangle filter looks at the samples above and below. */
    boolean down() {
      return this == DOWN || this == BOTH;
    }
  }

  PlaneLayout {
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
      throw new IllegalArgumentException("scale must be 1, 2, 4 or 8, was " + scale);
    }
  }

  /** The width of the scaled image, in pixels. */
  int width() {
    return ceilDiv(grid.width(), scale);
  }

  /** The height of the scaled image, in pixels. */
  int height() {
    return ceilDiv(grid.height(), scale);
  }

  /** The samples of a luma block in either direction: 8, 4, 2 or 1. */
  int lumaSize() {
    return 8 / scale;
  }

  /** The samples of a chroma block in either direction. */
  int chromaSize() {
    int size = lumaSize();
    while (size < 8 && mcuWidth() % (2 * size) == 0 && mcuHeight() % (2 * size) == 0) {
      size *= 2;
    }
    return size;
  }

  /** The width of an MCU in pixels of the scaled image. */
  int mcuWidth() {
    return grid.mcuWidth() / scale;
  }

  /** The height of an MCU in pixels of the scaled image. */
  int mcuHeight() {
    return grid.mcuHeight() / scale;
  }

  /** Returns the number of pixels that a chroma sample covers, horizontally. */
  int horizontalRatio() {
    return mcuWidth() / chromaSize();
  }

  /** Returns the number of pixels that a chroma sample covers, vertically. */
  int verticalRatio() {
    return mcuHeight() / chromaSize();
  }

  /** Returns the width of the chroma planes in samples, without the padding on the right. */
  int chromaWidth() {
    return ceilDiv(grid.width() * chromaSize(), grid.mcuWidth());
  }

  /** Returns the height of the chroma planes in samples, without the padding below. */
  int chromaHeight() {
    return ceilDiv(grid.height() * chromaSize(), grid.mcuHeight());
  }

  Stretch stretch() {
    if (grid.sampling() == Sampling.GRAY || lumaSize() == 1) {
      return Stretch.REPEAT;
    }
    int across = horizontalRatio();
    int down = verticalRatio();
    if (across == 1 && down == 2) {
      return Stretch.DOWN;
    }
    if (across == 2 && chromaWidth() > 2) {
      return down == 2 ? Stretch.BOTH : Stretch.ACROSS;
    }
    return Stretch.REPEAT;
  }

  private static int ceilDiv(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
