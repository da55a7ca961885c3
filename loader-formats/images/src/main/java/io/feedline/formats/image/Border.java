package io.feedline.formats.image;

import io.feedline.formats.image.pixel.PaddingMode;
import java.util.Locale;

/**
 * A border around an image: torchvision's padding, 0 or more columns and rows. Immutable.
 *
 * @param fill the color as 0xRRGGBB, for {@link PaddingMode#CONSTANT}
 */
record Border(int left, int top, int right, int bottom, PaddingMode mode, int fill) {

  Border {
    if (side(left) || side(top) || side(right) || side(bottom)) {
      throw new IllegalArgumentException(
          "padding must be 0 to %d pixels on each side, was %d, %d, %d, %d"
              .formatted(Image.MAX_SIDE, left, top, right, bottom));
    }
  }

  Border withFill(int color) {
    return color == fill ? this : new Border(left, top, right, bottom, mode, color);
  }

  /** Returns this border for an image that is {@code scale} times as large. */
  Border enlarged(int scale) {
    return new Border(
        Math.multiplyExact(scale, left),
        Math.multiplyExact(scale, top),
        Math.multiplyExact(scale, right),
        Math.multiplyExact(scale, bottom),
        mode,
        fill);
  }

  boolean isEmpty() {
    return left == 0 && top == 0 && right == 0 && bottom == 0;
  }

  boolean isBlack() {
    return mode == PaddingMode.CONSTANT && fill == 0;
  }

  private static boolean side(int pixels) {
    return pixels < 0 || pixels > Image.MAX_SIDE;
  }

  /** Returns sides, mode and color, for example {@code 2, 0, 2, 0 constant #ff0000}. */
  @Override
  public String toString() {
    String color = mode == PaddingMode.CONSTANT ? String.format(Locale.ROOT, " #%06x", fill) : "";
    return "%d, %d, %d, %d %s%s".formatted(left, top, right, bottom, mode, color);
  }
}
