package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import java.util.random.RandomGenerator;

/**
 * A random transform that fits an image into a target size and scales it by a random factor,
 * keeping the aspect ratio: ScaleJitter of torchvision's v2. Followed by a {@link RandomCrop} of
 * the target size with {@code padIfNeeded} it is the large scale jitter of "Simple Copy-Paste is a
 * Strong Data Augmentation Method for Instance Segmentation" (Ghiasi et al., 2021).
 *
 * <p>Draws the factor. Sizes are cut off to whole pixels; a side that would vanish, at which
 * torchvision fails, becomes one pixel. Immutable and thread-safe.
 */
public final class ScaleJitter extends ScalingTransform {
  private final int targetWidth;
  private final int targetHeight;
  private final UniformRange scale;

  private ScaleJitter(Builder builder) {
    super(builder.scaling());
    this.targetWidth = builder.targetWidth;
    this.targetHeight = builder.targetHeight;
    this.scale = builder.scale;
  }

  /**
   * Returns the transform for a square, with torchvision's default factors, 0.1 to 2; bilinear.
   *
   * @param targetSize rows and columns of the area that an image fits into at a factor of 1
   * @throws IllegalArgumentException if it is less than 1
   */
  public static ScaleJitter of(int targetSize) {
    return builder(targetSize).build();
  }

  /**
   * Returns a builder for a square.
   *
   * @param targetSize rows and columns of the area that an image fits into at a factor of 1
   * @throws IllegalArgumentException if it is less than 1
   */
  public static Builder builder(int targetSize) {
    return builder(targetSize, targetSize);
  }

  /**
   * Returns a builder for a rectangle.
   *
   * @param targetWidth columns of the area that an image fits into at a factor of 1; first here, as
   *     torchvision takes the two
   * @param targetHeight rows of it
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Builder builder(int targetWidth, int targetHeight) {
    return new Builder(
        Sizes.check("targetWidth", targetWidth), Sizes.check("targetHeight", targetHeight));
  }

  /** Returns the number of columns that an image fits into at a factor of 1. */
  public int targetWidth() {
    return targetWidth;
  }

  /** Returns the number of rows that an image fits into at a factor of 1. */
  public int targetHeight() {
    return targetHeight;
  }

  /** Returns the smallest factor. */
  public double minScale() {
    return scale.min();
  }

  /** Returns the largest factor. */
  public double maxScale() {
    return scale.max();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    double fit =
        Math.min((double) targetHeight / image.height(), (double) targetWidth / image.width());
    float factor = (float) fit * scale.drawInTwoSteps(random);
    return scaling.resize(image, length(image.width() * factor), length(image.height() * factor));
  }

  private static int length(float length) {
    return Math.max(1, (int) length);
  }

  @Override
  public String toString() {
    return "ScaleJitter(targetWidth=%d, targetHeight=%d, scale=%s, %s)"
        .formatted(targetWidth, targetHeight, scale, scaling);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends ResizeOptions<Builder> {
    private final int targetWidth;
    private final int targetHeight;
    private UniformRange scale = new UniformRange(0.1, 2);

    private Builder(int targetWidth, int targetHeight) {
      this.targetWidth = targetWidth;
      this.targetHeight = targetHeight;
    }

    /**
     * Sets the factors; 0.1 to 2 by default.
     *
     * @throws IllegalArgumentException unless they are in order, above 0 and finite
     */
    public Builder scale(double min, double max) {
      Sizes.checkRange("scale", min, max, Float.MIN_NORMAL, Float.MAX_VALUE);
      this.scale = new UniformRange(min, max);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if antialiasing is off for a filter other than bilinear
     */
    public ScaleJitter build() {
      return new ScaleJitter(this);
    }
  }
}
