package io.feedline.formats.image.transform;

import java.util.OptionalDouble;

/** A random transform that warps images around a point. Immutable. */
abstract class CenteredTransform extends WarpingTransform {

  /** True if the caller chose the point; false for the middle of the image. */
  final boolean centered;

  /** In pixels from the left edge. */
  final double centerX;

  /** In pixels from the upper edge. */
  final double centerY;

  CenteredTransform(WarpOptions.Centered<?> options) {
    super(options.warp());
    this.centered = options.isCentered();
    this.centerX = options.centerX();
    this.centerY = options.centerY();
  }

  /** Returns what stays in its place, in pixels from the left edge; empty for the middle. */
  public final OptionalDouble centerX() {
    return centered ? OptionalDouble.of(centerX) : OptionalDouble.empty();
  }

  /** Returns what stays in its place, in pixels from the upper edge; empty for the middle. */
  public final OptionalDouble centerY() {
    return centered ? OptionalDouble.of(centerY) : OptionalDouble.empty();
  }
}
