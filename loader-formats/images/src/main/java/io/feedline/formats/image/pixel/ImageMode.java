package io.feedline.formats.image.pixel;

import java.util.Locale;

/**
 * The samples that each pixel of an image has: Pillow's modes. {@code DecodeOptions.withMode} sets
 * the mode of decoding, {@code Image.convert} changes an image's mode.
 */
public enum ImageMode {
  /** One channel of 8 bits, the luminance: Pillow's {@code L}. */
  GRAY(1, 8),
  /** Red, green and blue of 8 bits each, the default: Pillow's {@code RGB}. */
  RGB(3, 8),
  /** Red, green, blue and alpha of 8 bits each: Pillow's {@code RGBA}. */
  RGBA(4, 8),
  /** One channel of 16 bits, 0 to 65535: Pillow's {@code I;16}. */
  GRAY16(1, 16);

  private final int channels;
  private final int bits;

  ImageMode(int channels, int bits) {
    this.channels = channels;
    this.bits = bits;
  }

  /** Returns the number of samples of a pixel, 1 to 4. */
  public int channels() {
    return channels;
  }

  /** Returns the number of bits of a sample, 8 or 16. */
  public int bits() {
    return bits;
  }

  /** Returns the number of bytes that a pixel takes without gaps between samples. */
  public int pixelBytes() {
    return channels * bits / Byte.SIZE;
  }

  /**
   * Returns the mode of a name, in upper or lower case.
   *
   * @throws IllegalArgumentException if no mode has the name; the message lists all modes
   */
  public static ImageMode named(String name) {
    for (ImageMode mode : values()) {
      if (mode.name().equalsIgnoreCase(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "mode must be gray, rgb, rgba or gray16, was '%s'".formatted(name));
  }

  /** Returns the name in lower case, for example {@code gray}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
