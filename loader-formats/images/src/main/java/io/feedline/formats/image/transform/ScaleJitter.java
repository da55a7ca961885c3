package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that fits an image into a target size and scales it by a random factor,
 * keeping the aspect ratio: ScaleJitter of torchvision's v2. Followed by a {@link RandomCrop} of
 * the target size with {@code padIfNeeded}, it is the large scale jitter of "Simple Copy-Paste is a
 * Strong Data Augmentation Method for Instance Segmentation" (Ghiasi et al., 2021).
 *
 * <p>Draws the factor. Fractions of a pixel are cut off. A side of 0 pixels becomes one pixel;
 * torchvision fails for such a side. Immutable and thread-safe.
 */
public final class ScaleJitter extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(
      int targetWidth,
      int targetHeight,
      Range scale,
      Interpolation interpolation,
      boolean antialias) {
    Options {
      Sizes.check("targetWidth", targetWidth);
      Sizes.check("targetHeight", targetHeight);
      scale.positive("scale");
      interpolation.checkAntialias(antialias);
    }
  }

  private final Options options;

  private ScaleJitter(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform that fits an image into a square of 1 or more pixels a side, with
   * torchvision's default factors, 0.1 to 2; bilinear.
   */
  public static ScaleJitter of(int targetSize) {
    return of(targetSize, targetSize);
  }

  /**
   * Returns the transform that fits an image into a rectangle, the width first as in torchvision,
   * with the defaults of {@link #of(int)}.
   */
  public static ScaleJitter of(int targetWidth, int targetHeight) {
    return new ScaleJitter(
        new Options(targetWidth, targetHeight, new Range(0.1, 2), Interpolation.BILINEAR, true));
  }

  /**
   * Returns the same transform with another range of the factor, {@code 0 < min <= max}; 0.1 to 2
   * by default.
   */
  public ScaleJitter withScale(double min, double max) {
    return with("scale", new Range(min, max));
  }

  /** Returns the same transform with another filter; {@link Interpolation#BILINEAR} by default. */
  public ScaleJitter withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with or without antialiasing; see {@link Resize#withAntialias}. */
  public ScaleJitter withAntialias(boolean antialias) {
    return with("antialias", antialias);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    double fit =
        Math.min(
            (double) options.targetHeight / image.height(),
            (double) options.targetWidth / image.width());
    float factor = (float) fit * options.scale.drawInTwoSteps(random);
    return image.resize(
        length(image.width() * factor),
        length(image.height() * factor),
        options.interpolation,
        options.antialias);
  }

  private static int length(float length) {
    return Math.max(1, (int) length);
  }
}
