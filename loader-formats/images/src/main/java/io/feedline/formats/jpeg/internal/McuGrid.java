package io.feedline.formats.jpeg.internal;

/**
 * The MCUs of an image with a width and a height in pixels. The MCUs at the right and at the bottom
 * may extend beyond the image.
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
