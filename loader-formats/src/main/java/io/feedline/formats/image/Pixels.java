package io.feedline.formats.image;

import java.util.Objects;

/**
 * An image as it looks: 8-bit RGB, before any normalization. What {@link Image#pixels} gives to
 * code that wants to see or change pixels; {@link #toImage} is the way back.
 *
 * <p>Owns its array and shares it with whoever asks for it, so it is as thread-safe as the way it
 * is used.
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

  /** Columns. */
  public int width() {
    return width;
  }

  /** Rows. */
  public int height() {
    return height;
  }

  /**
   * The samples themselves, not a copy: red, green, blue of the upper left pixel, then its right
   * neighbor's; exactly {@code 3 * width * height} unsigned bytes.
   */
  public byte[] rgb() {
    return rgb;
  }

  /**
   * One pixel as {@code 0xRRGGBB}.
   *
   * @throws IndexOutOfBoundsException if it lies outside the image
   */
  public int rgbAt(int x, int y) {
    int at = 3 * (Objects.checkIndex(y, height) * width + Objects.checkIndex(x, width));
    return (rgb[at] & 0xFF) << 16 | (rgb[at + 1] & 0xFF) << 8 | (rgb[at + 2] & 0xFF);
  }

  /** A recipe that begins with these pixels; they must not change any more. */
  public Image toImage() {
    return Image.ofRgb(rgb, width, height);
  }

  /** For example {@code Pixels[224 x 224]}. */
  @Override
  public String toString() {
    return "Pixels[%d x %d]".formatted(width, height);
  }
}
