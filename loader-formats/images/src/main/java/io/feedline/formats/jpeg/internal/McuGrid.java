package io.feedline.formats.jpeg.internal;

/**
 * An image cut into MCUs; those at the right and at the bottom may stick out.
 *
 * @param width of the image, in pixels
 * @param height of the image, in pixels
 */
public record McuGrid(int width, int height, Sampling sampling) {

  /** The width of an MCU, in pixels. */
  int mcuWidth() {
    return 8 * sampling.horizontal();
  }

  /** The height of an MCU, in pixels. */
  int mcuHeight() {
    return 8 * sampling.vertical();
  }

  /** The number of MCUs in a row. */
  public int columns() {
    return (width + mcuWidth() - 1) / mcuWidth();
  }

  /** The number of rows of MCUs. */
  public int rows() {
    return (height + mcuHeight() - 1) / mcuHeight();
  }
}
