package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;

/** A random transform that scales images to a size that it draws. Immutable. */
abstract class ScalingTransform implements RandomTransform<Image, Image> {

  final Scaling scaling;

  ScalingTransform(Scaling scaling) {
    this.scaling = scaling;
  }

  /** Returns the filter. */
  public final Interpolation interpolation() {
    return scaling.filter();
  }

  /** Returns whether the filter widens with a reduction; see the builder's option. */
  public final boolean antialias() {
    return scaling.antialias();
  }
}
