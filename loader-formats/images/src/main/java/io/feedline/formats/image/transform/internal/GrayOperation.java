package io.feedline.formats.image.transform.internal;

/** Luminance as Pillow computes it: ITU-R 601-2, with 16 fractional bits. */
final class GrayOperation {
  private GrayOperation() {}

  static int of(int red, int green, int blue) {
    return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
  }

  /** Returns the luminance of the pixel whose red sample is at an index. */
  static int at(byte[] rgb, int index) {
    return of(rgb[index] & 0xFF, rgb[index + 1] & 0xFF, rgb[index + 2] & 0xFF);
  }
}
