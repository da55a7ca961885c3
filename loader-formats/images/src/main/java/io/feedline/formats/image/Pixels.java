package io.feedline.formats.image;

import java.util.Objects;

/**
 * The decoded pixels of an image: 8-bit RGB, before any normalization. {@link Image#pixels} returns
 * them for code that reads or changes pixels; {@link #toImage} makes an image of them.
 *
 * <p>The array is shared, not copied. Several threads may read it at once if no thread writes.
 */
public final class Pixels {
  private final byte[] rgb;
  private final int width;
  private final int height;

  Pixels(byte[] rgb, int width, int height) {
    this.rgb = rgb;
    this.width = width;
    this.height = height;
  }

  /** Returns the width in pixels. */
  public int width() {
    return width;
  }

  /** Returns the height in pixels. */
  public int height() {
    return height;
  }

  /**
   * Returns the array of samples, not a copy: red, green, blue of the upper left pixel, then of its
   * right neighbor, and so on; exactly {@code 3 * width * height} unsigned bytes.
   */
  public byte[] rgb() {
    return rgb;
  }

  /**
   * Returns one pixel as {@code 0xRRGGBB}.
   *
   * @throws IndexOutOfBoundsException if the pixel lies outside the image
   */
  public int rgbAt(int x, int y) {
    int at = 3 * (Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width));
    return (rgb[at] & 0xFF) << 16 | (rgb[at + 1] & 0xFF) << 8 | (rgb[at + 2] & 0xFF);
  }

  /** Returns an image with these pixels; the array must not change afterwards. */
  public Image toImage() {
    return Image.ofRgb(rgb, width, height);
  }

  /** Returns the size, for example {@code Pixels[224 x 224]}. */
  @Override
  public String toString() {
    return "Pixels[%d x %d]".formatted(width, height);
  }
}
