package io.feedline.formats.image.transform;

import io.feedline.formats.image.pixel.PaddingMode;
import java.util.Locale;

/** A color for pixels outside the image, as {@code 0xRRGGBB}. */
final class Fill {
  static final int BLACK = 0;

  private Fill() {}

  /**
   * Returns the color of three samples.
   *
   * @throws IllegalArgumentException if one of them is not within 0 to 255
   */
  static int of(int red, int green, int blue) {
    if (((red | green | blue) & ~0xFF) != 0) {
      throw new IllegalArgumentException(
          "fill must be 0 to 255 for red, green and blue, was %d, %d, %d"
              .formatted(red, green, blue));
    }
    return red << 16 | green << 8 | blue;
  }

  /**
   * Checks that a color other than black is of use.
   *
   * @throws IllegalArgumentException if the border has no color
   */
  static void checkMode(int fill, PaddingMode mode) {
    if (fill != BLACK && mode != PaddingMode.CONSTANT) {
      throw new IllegalArgumentException(
          "fill %s goes with constant padding, not with %s".formatted(words(fill), mode));
    }
  }

  static String words(int fill) {
    return String.format(Locale.ROOT, "#%06x", fill);
  }
}
