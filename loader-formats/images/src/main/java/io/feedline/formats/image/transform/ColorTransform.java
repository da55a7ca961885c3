package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;

/** A random transform that changes colors by random factors. Immutable. */
abstract class ColorTransform implements RandomTransform<Image, Image> {

  /** The ranges of the factors. */
  final ColorRanges ranges;

  ColorTransform(ColorRanges ranges) {
    this.ranges = ranges;
  }

  /** Returns the smallest factor of brightness. */
  public final double minBrightness() {
    return ranges.brightness().min();
  }

  /** Returns the largest factor of brightness. */
  public final double maxBrightness() {
    return ranges.brightness().max();
  }

  /** Returns the smallest factor of contrast. */
  public final double minContrast() {
    return ranges.contrast().min();
  }

  /** Returns the largest factor of contrast. */
  public final double maxContrast() {
    return ranges.contrast().max();
  }

  /** Returns the smallest factor of saturation. */
  public final double minSaturation() {
    return ranges.saturation().min();
  }

  /** Returns the largest factor of saturation. */
  public final double maxSaturation() {
    return ranges.saturation().max();
  }

  /** Returns the smallest turn of the hue, in circles. */
  public final double minHue() {
    return ranges.hue().min();
  }

  /** Returns the largest turn of the hue, in circles. */
  public final double maxHue() {
    return ranges.hue().max();
  }

  /**
   * The options that all of them have; not thread-safe.
   *
   * @param <B> the builder itself
   */
  abstract static class Options<B extends Options<B>> {

    ColorRanges ranges;

    Options(ColorRanges defaults) {
      this.ranges = defaults;
    }

    @SuppressWarnings("unchecked")
    final B self() {
      return (B) this;
    }

    /**
     * Sets the factors of brightness, from 0, black, upwards; 1 leaves the image as it is.
     *
     * @throws IllegalArgumentException unless they are in order, 0 or more and finite
     */
    public final B brightness(double min, double max) {
      ranges = ranges.withBrightness(UniformRange.ofFactors("brightness", min, max));
      return self();
    }

    /**
     * Sets the factors of contrast, from 0, an even gray, upwards; 1 leaves the image as it is.
     *
     * @throws IllegalArgumentException unless they are in order, 0 or more and finite
     */
    public final B contrast(double min, double max) {
      ranges = ranges.withContrast(UniformRange.ofFactors("contrast", min, max));
      return self();
    }

    /**
     * Sets the factors of saturation, from 0, a gray image, upwards; 1 leaves the image as it is.
     *
     * @throws IllegalArgumentException unless they are in order, 0 or more and finite
     */
    public final B saturation(double min, double max) {
      ranges = ranges.withSaturation(UniformRange.ofFactors("saturation", min, max));
      return self();
    }

    /**
     * Sets the turns of the hue, in circles.
     *
     * @throws IllegalArgumentException unless they are in order and within -0.5 to 0.5
     */
    public final B hue(double min, double max) {
      ranges = ranges.withHue(UniformRange.ofHue(min, max));
      return self();
    }
  }
}
