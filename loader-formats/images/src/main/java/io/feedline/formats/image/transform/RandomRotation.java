package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import java.util.random.RandomGenerator;

/**
 * A random transform that turns an image by a random angle, counter-clockwise: torchvision's
 * RandomRotation. Draws the angle, evenly from its range. The pixels are Pillow's bit for bit,
 * given the angle. Immutable and thread-safe.
 */
public final class RandomRotation extends CenteredTransform {
  private final UniformRange degrees;
  private final boolean expand;

  private RandomRotation(Builder builder) {
    super(builder);
    this.degrees = builder.degrees;
    this.expand = builder.expand;
  }

  /**
   * Returns the transform that turns by {@code -degrees} to {@code degrees}, with torchvision's
   * defaults: the nearest pixel, the size kept, black corners.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  public static RandomRotation of(double degrees) {
    return builder(degrees).build();
  }

  /**
   * Returns a builder for angles from {@code -degrees} to {@code degrees}.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  public static Builder builder(double degrees) {
    Sizes.checkReach("degrees", degrees);
    return builder(-degrees, degrees);
  }

  /**
   * Returns a builder for a range of angles.
   *
   * @throws IllegalArgumentException unless they are in order and finite
   */
  public static Builder builder(double minDegrees, double maxDegrees) {
    Sizes.checkRange("degrees", minDegrees, maxDegrees, -Float.MAX_VALUE, Float.MAX_VALUE);
    return new Builder(new UniformRange(minDegrees, maxDegrees));
  }

  /** Returns the smallest angle, in degrees. */
  public double minDegrees() {
    return degrees.min();
  }

  /** Returns the largest angle, in degrees. */
  public double maxDegrees() {
    return degrees.max();
  }

  /** Returns whether the result is as large as the turned image. */
  public boolean expand() {
    return expand;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    double angle = degrees.draw(random);
    return centered
        ? warp.rotateAround(image, angle, centerX, centerY, expand)
        : warp.rotate(image, angle, expand);
  }

  @Override
  public String toString() {
    String center = centered ? ", center=(%s, %s)".formatted(centerX, centerY) : "";
    return "RandomRotation(degrees=%s, interpolation=%s, expand=%s%s, fill=%s)"
        .formatted(degrees, warp.filter(), expand, center, Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions.Centered<Builder> {
    private final UniformRange degrees;
    private boolean expand;

    private Builder(UniformRange degrees) {
      this.degrees = degrees;
    }

    /** Sets whether the result is as large as the turned image; false by default: as the image. */
    public Builder expand(boolean expand) {
      this.expand = expand;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic, or the
     *     center not finite
     */
    public RandomRotation build() {
      Warp.checkCenter(centerX(), centerY());
      return new RandomRotation(this);
    }
  }
}
