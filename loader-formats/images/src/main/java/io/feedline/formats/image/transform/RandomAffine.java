package io.feedline.formats.image.transform;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that turns, moves, scales and shears an image, keeping its size and, but for
 * the movement, its center: torchvision's RandomAffine. The pixels are Pillow's bit for bit, given
 * the parameters.
 *
 * <p>Draws, each evenly from its range: the angle, clockwise; the movements along x and y, which
 * are rounded to pixels; the scale; the shears along x and y. It draws nothing for options that are
 * not set. Immutable and thread-safe.
 */
public final class RandomAffine extends CenteredTransform {
  private final UniformRange degrees;
  private final boolean translated;
  private final double translateX;
  private final double translateY;

  /** Null if not set. */
  private final UniformRange scale;

  private final UniformRange shearX;
  private final UniformRange shearY;

  private RandomAffine(Builder builder) {
    super(builder);
    this.degrees = builder.degrees;
    this.translated = builder.translated;
    this.translateX = builder.translateX;
    this.translateY = builder.translateY;
    this.scale = builder.scale;
    this.shearX = builder.shearX;
    this.shearY = builder.shearY;
  }

  /**
   * Returns the transform that turns by {@code -degrees} to {@code degrees} and changes nothing
   * else.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  public static RandomAffine of(double degrees) {
    return builder(degrees).build();
  }

  /**
   * Returns a builder for angles from {@code -degrees} to {@code degrees}; 0 does not turn.
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
    return new Builder(Builder.angles("degrees", minDegrees, maxDegrees));
  }

  /** Returns the smallest angle, in degrees. */
  public double minDegrees() {
    return degrees.min();
  }

  /** Returns the largest angle, in degrees. */
  public double maxDegrees() {
    return degrees.max();
  }

  /** Returns how far an image is moved along x at most, as a fraction of its width. */
  public double translateX() {
    return translateX;
  }

  /** Returns how far an image is moved along y at most, as a fraction of its height. */
  public double translateY() {
    return translateY;
  }

  /** Returns the smallest scale. */
  public double minScale() {
    return scale == null ? 1 : scale.min();
  }

  /** Returns the largest scale. */
  public double maxScale() {
    return scale == null ? 1 : scale.max();
  }

  /** Returns the smallest shear along x, in degrees. */
  public double minShearX() {
    return shearX == null ? 0 : shearX.min();
  }

  /** Returns the largest shear along x, in degrees. */
  public double maxShearX() {
    return shearX == null ? 0 : shearX.max();
  }

  /** Returns the smallest shear along y, in degrees. */
  public double minShearY() {
    return shearY == null ? 0 : shearY.min();
  }

  /** Returns the largest shear along y, in degrees. */
  public double maxShearY() {
    return shearY == null ? 0 : shearY.max();
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    double angle = degrees.draw(random);
    double dx = translated ? movement(translateX * image.width(), random) : 0;
    double dy = translated ? movement(translateY * image.height(), random) : 0;
    double factor = scale == null ? 1 : scale.draw(random);
    double sx = shearX == null ? 0 : shearX.draw(random);
    double sy = shearY == null ? 0 : shearY.draw(random);
    double x = centered ? centerX : image.width() * 0.5;
    double y = centered ? centerY : image.height() * 0.5;
    return warp.affine(image, AffineMatrix.inverse(x, y, angle, dx, dy, factor, sx, sy));
  }

  private static double movement(double most, RandomGenerator random) {
    return Math.rint(Draw.uniform(random, (float) -most, (float) most));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("RandomAffine(degrees=").append(degrees);
    if (translated) {
      text.append(", translate=(%s, %s)".formatted(translateX, translateY));
    }
    if (scale != null) {
      text.append(", scale=").append(scale);
    }
    if (shearX != null) {
      text.append(", shearX=").append(shearX);
    }
    if (shearY != null) {
      text.append(", shearY=").append(shearY);
    }
    if (centered) {
      text.append(", center=(%s, %s)".formatted(centerX, centerY));
    }
    return text.append(
            ", interpolation=%s, fill=%s)".formatted(warp.filter(), Fill.words(warp.fill())))
        .toString();
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions.Centered<Builder> {
    private final UniformRange degrees;
    private boolean translated;
    private double translateX;
    private double translateY;
    private UniformRange scale;
    private UniformRange shearX;
    private UniformRange shearY;

    private Builder(UniformRange degrees) {
      this.degrees = degrees;
    }

    private static UniformRange angles(String option, double min, double max) {
      Sizes.checkRange(option, min, max, -Float.MAX_VALUE, Float.MAX_VALUE);
      return new UniformRange(min, max);
    }

    /**
     * Sets how far an image is moved at most, as fractions of its width and height; not moved by
     * default.
     *
     * @param x from 0 to 1
     * @param y from 0 to 1
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public Builder translate(double x, double y) {
      Sizes.checkRange("translate x", x, x, 0, 1);
      Sizes.checkRange("translate y", y, y, 0, 1);
      this.translated = true;
      this.translateX = x;
      this.translateY = y;
      return this;
    }

    /**
     * Sets how much larger an image becomes; 1, its own size, by default.
     *
     * @throws IllegalArgumentException unless they are in order, above 0 and finite
     */
    public Builder scale(double min, double max) {
      Sizes.checkRange("scale", min, max, Float.MIN_NORMAL, Float.MAX_VALUE);
      this.scale = new UniformRange(min, max);
      return this;
    }

    /**
     * Sets the shears along x, from {@code -degrees} to {@code degrees}; none by default.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder shear(double degrees) {
      Sizes.checkReach("shear", degrees);
      return shear(-degrees, degrees);
    }

    /**
     * Sets the shears along x, in degrees.
     *
     * @throws IllegalArgumentException unless they are in order and finite
     */
    public Builder shear(double min, double max) {
      this.shearX = angles("shear", min, max);
      this.shearY = null;
      return this;
    }

    /**
     * Sets the shears along both axes, in degrees.
     *
     * @throws IllegalArgumentException unless they are in order and finite
     */
    public Builder shear(double minX, double maxX, double minY, double maxY) {
      this.shearX = angles("shear x", minX, maxX);
      this.shearY = angles("shear y", minY, maxY);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic, or the
     *     center not finite
     */
    public RandomAffine build() {
      Warp.checkCenter(centerX(), centerY());
      return new RandomAffine(this);
    }
  }
}
