package io.feedline.formats.image;

/**
 * A border around an image.
 *
 * @param left columns, 0 or more
 * @param top rows, 0 or more
 * @param right columns, 0 or more
 * @param bottom rows, 0 or more
 * @param mode what it is filled with
 * @param fill the color, for {@link PaddingMode#CONSTANT}
 */
record Padding(int left, int top, int right, int bottom, PaddingMode mode, int fill) {

  Padding {
    if (side(left) || side(top) || side(right) || side(bottom)) {
      throw new IllegalArgumentException(
          "padding must be 0 to %d pixels on each side, was %d, %d, %d, %d"
              .formatted(Geometry.MAX_SIDE, left, top, right, bottom));
    }
  }

  private static boolean side(int pixels) {
    return pixels < 0 || pixels > Geometry.MAX_SIDE;
  }

  /** An image with this border; still one recipe, where the border is black. */
  Image around(Image image) {
    if (left == 0 && top == 0 && right == 0 && bottom == 0) {
      return image;
    }
    if (mode == PaddingMode.CONSTANT && fill == Fill.BLACK) {
      return image.crop(
          new Region(-left, -top, left + image.width() + right, top + image.height() + bottom));
    }
    return image.over(source -> new PaddedSource(source, this));
  }

  /** For example {@code 4, 4, 4, 4 reflect} or {@code 2, 0, 2, 0 constant #ff0000}. */
  @Override
  public String toString() {
    String color = mode == PaddingMode.CONSTANT ? " " + Fill.words(fill) : "";
    return "%d, %d, %d, %d %s%s".formatted(left, top, right, bottom, mode, color);
  }
}
