package io.feedline.formats.jpeg.internal;

/**
 * An image of a width and height in pixels, cut into MCUs; those at the right and at the bottom may
 * stick out.
 */
public record McuGrid(int width, int height, Sampling sampling) {

  int mcuWidth() {
    return 8 * sampling.horizontal();
  }

  int mcuHeight() {
    return 8 * sampling.vertical();
  }

  public int columns() {
    return (width + mcuWidth() - 1) / mcuWidth();
  }

  public int rows() {
    return (height + mcuHeight() - 1) / mcuHeight();
  }
}
