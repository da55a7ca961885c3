package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;

/** A random transform that warps images, alone or among other operations. Immutable. */
abstract class WarpingTransform implements RandomTransform<Image, Image> {

  final Warp warp;

  WarpingTransform(Warp warp) {
    this.warp = warp;
  }

  /** Returns the filter of the geometric operations. */
  public final Interpolation interpolation() {
    return warp.filter();
  }

  /** Returns the color where there is no image, as {@code 0xRRGGBB}. */
  public final int fill() {
    return warp.fill();
  }
}
