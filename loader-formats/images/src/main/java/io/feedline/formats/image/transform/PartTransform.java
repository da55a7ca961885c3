package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

/**
 * A random transform that chooses a part of an image, of a share of its area and a ratio of sides.
 * Immutable.
 */
abstract class PartTransform implements RandomTransform<Image, Image> {

  /** Number of tries to draw a part that fits. */
  static final int TRIES = 10;

  /** Range of the part's area as a share of the image's. */
  final UniformRange scale;

  /** Range of the part's width divided by its height. */
  final UniformRange ratio;

  PartTransform(UniformRange scale, UniformRange ratio) {
    this.scale = scale;
    this.ratio = ratio;
  }

  /** Returns the area of the smallest part, as a fraction of the image's area. */
  public final double minScale() {
    return scale.min();
  }

  /** Returns the area of the largest part, as a fraction of the image's area. */
  public final double maxScale() {
    return scale.max();
  }

  /** Returns the smallest ratio of the part's sides, as the builder's option is meant. */
  public final double minRatio() {
    return ratio.min();
  }

  /** Returns the largest ratio of the part's sides, as the builder's option is meant. */
  public final double maxRatio() {
    return ratio.max();
  }
}
