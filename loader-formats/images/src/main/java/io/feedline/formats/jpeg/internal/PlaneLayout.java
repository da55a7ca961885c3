package io.feedline.formats.jpeg.internal;

/**
 * The number of samples of a block at a scale (1, 2, 4 or 8), and the stretching of chroma to
 * luma's size. At a larger scale blocks have fewer samples, which a shorter transform computes from
 * the lowest frequencies. If chroma is subsampled in both directions, a chroma block has twice the
 * size of a luma block if possible; then chroma need not be stretched. All rules are those of
 * libjpeg-turbo: {@code jdmaster.c} (sizes) and {@code jdsample.c} (stretching).
 */
record PlaneLayout(McuGrid grid, int scale) {
  enum Stretch {
    /** Each sample is repeated for all pixels that it covers. */
    REPEAT,
    /** Chroma is made twice as wide by a triangle filter. */
    ACROSS,
    /** Chroma is made twice as high by a triangle filter. */
    DOWN,
    /** Chroma is made twice as wide and twice as high by a triangle filter. */
    BOTH;

    boolean across() {
      return this == ACROSS || this == BOTH;
    }

    boolean down() {
      return this == DOWN || this == BOTH;
    }
  }

  PlaneLayout {
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) {
      throw new IllegalArgumentException("scale must be 1, 2, 4 or 8, was " + scale);
    }
  }

  int width() {
    return ceilDiv(grid.width(), scale);
  }

  int height() {
    return ceilDiv(grid.height(), scale);
  }

  /** Returns the number of samples of a luma block in either direction: 8, 4, 2 or 1. */
  int lumaSize() {
    return 8 / scale;
  }

  int chromaSize() {
    int size = lumaSize();
    while (size < 8 && mcuWidth() % (2 * size) == 0 && mcuHeight() % (2 * size) == 0) {
      size *= 2;
    }
    return size;
  }

  int mcuWidth() {
    return grid.mcuWidth() / scale;
  }

  int mcuHeight() {
    return grid.mcuHeight() / scale;
  }

  /** Returns the number of pixels that a chroma sample covers horizontally. */
  int horizontalRatio() {
    return mcuWidth() / chromaSize();
  }

  int verticalRatio() {
    return mcuHeight() / chromaSize();
  }

  /** Returns the width of the chroma planes in samples, without the padding on the right. */
  int chromaWidth() {
    return ceilDiv(grid.width() * chromaSize(), grid.mcuWidth());
  }

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
