package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import java.util.Arrays;

/** The pixels of a border on each side, in torchvision's order. */
record Sides(int left, int top, int right, int bottom) {

  Sides {
    int[] sides = {left, top, right, bottom};
    if (Arrays.stream(sides).anyMatch(side -> side < 0 || side > Image.MAX_SIDE)) {
      throw new IllegalArgumentException(
          "padding must be 0 to %d pixels on each side, was %d, %d, %d, %d"
              .formatted(Image.MAX_SIDE, left, top, right, bottom));
    }
  }

  static void check(PaddingMode mode, Fill fill) {
    if (!fill.equals(Fill.BLACK) && mode != PaddingMode.CONSTANT) {
      throw new IllegalArgumentException(
          "fill %s goes with constant padding, not with %s".formatted(fill, mode));
    }
  }

  Image pad(Image image, PaddingMode mode, Fill fill) {
    return image.pad(left, top, right, bottom, mode, fill.rgb());
  }
}
