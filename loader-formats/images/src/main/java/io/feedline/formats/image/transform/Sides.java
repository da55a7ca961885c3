package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.pixel.PaddingMode;

/** The pixels of a border on each side, in torchvision's order. */
record Sides(int left, int top, int right, int bottom) {

  Border border(PaddingMode mode, Fill fill) {
    if (!fill.equals(Fill.BLACK) && mode != PaddingMode.CONSTANT) {
      throw new IllegalArgumentException(
          "fill %s goes with constant padding, not with %s".formatted(fill, mode));
    }
    return new Border(left, top, right, bottom, mode, fill.rgb());
  }
}
