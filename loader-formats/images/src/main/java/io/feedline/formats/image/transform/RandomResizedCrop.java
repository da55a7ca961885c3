package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that cuts a part of random area and aspect ratio out of an image and scales it
 * to one size: torchvision's RandomResizedCrop, the usual augmentation of ImageNet training ("Going
 * deeper with convolutions", Szegedy et al., 2014). Only the part is decoded.
 *
 * <p>Draws and rounds as torchvision does: up to ten times an area and an aspect ratio; when a part
 * of this area and ratio fits into the image, its top and left; if none fits, the largest part in
 * the middle whose ratio is allowed. Immutable and thread-safe.
 */
public final class RandomResizedCrop extends PartTransform {
  private final int height;
  private final int width;
  private final Scaling scaling;
  private final float logMinRatio;
  private final float logMaxRatio;

  private RandomResizedCrop(Builder builder) {
    super(builder.scale, builder.ratio);
    this.height = builder.height;
    this.width = builder.width;
    this.scaling = builder.scaling();
    this.logMinRatio = log((float) ratio.min());
    this.logMaxRatio = log((float) ratio.max());
  }

  /**
   * Returns the crop to a square, with torchvision's defaults: 0.08 to 1 of the area, a ratio of
   * 3/4 to 4/3, bilinear.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public static RandomResizedCrop of(int size) {
    return builder(size, size).build();
  }

  /**
   * Returns a builder for a square.
   *
   * @param size rows and columns of the result
   * @throws IllegalArgumentException if it is less than 1
   */
  public static Builder builder(int size) {
    return builder(size, size);
  }

  /**
   * Returns a builder for a rectangle.
   *
   * @param height rows of the result, first as everywhere in torchvision
   * @param width columns of the result
   * @throws IllegalArgumentException if one of them is less than 1
   */
  public static Builder builder(int height, int width) {
    return new Builder(Sizes.check("height", height), Sizes.check("width", width));
  }

  /** Returns the number of rows of the result. */
  public int height() {
    return height;
  }

  /** Returns the number of columns of the result. */
  public int width() {
    return width;
  }

  /** Returns the filter. */
  public Interpolation interpolation() {
    return scaling.filter();
  }

  /** Returns whether the filter widens with a reduction; see {@link Builder#antialias}. */
  public boolean antialias() {
    return scaling.antialias();
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Region part = draw(image.width(), image.height(), random);
    return scaling.resize(image.crop(part), width, height);
  }

  /** Returns the part to cut out of an image of this size. */
  Region draw(int imageWidth, int imageHeight, RandomGenerator random) {
    double imageArea = (double) imageWidth * imageHeight;
    for (int i = 0; i < TRIES; i++) {
      double area = imageArea * scale.draw(random);
      double drawn = exp(Draw.uniform(random, logMinRatio, logMaxRatio));
      int w = (int) Math.rint(Math.sqrt(area * drawn));
      int h = (int) Math.rint(Math.sqrt(area / drawn));
      if (0 < w && w <= imageWidth && 0 < h && h <= imageHeight) {
        int y = Draw.below(random, imageHeight - h + 1);
        int x = Draw.below(random, imageWidth - w + 1);
        return new Region(x, y, w, h);
      }
    }
    return middle(imageWidth, imageHeight);
  }

  private Region middle(int imageWidth, int imageHeight) {
    double ofImage = (double) imageWidth / imageHeight;
    int w = imageWidth;
    int h = imageHeight;
    if (ofImage < ratio.min()) {
      // Rounds to 0 where the image is one pixel wide and the ratio above 2: keep one row.
      h = Math.max(1, (int) Math.rint(w / ratio.min()));
    } else if (ofImage > ratio.max()) {
      w = Math.max(1, (int) Math.rint(h * ratio.max()));
    }
    return new Region((imageWidth - w) / 2, (imageHeight - h) / 2, w, h);
  }

  // Strict, so that every machine draws the same part.
  private static float log(float value) {
    return (float) StrictMath.log(value);
  }

  private static float exp(float value) {
    return (float) StrictMath.exp(value);
  }

  @Override
  public String toString() {
    return "RandomResizedCrop(height=%d, width=%d, scale=%s, ratio=%s, %s)"
        .formatted(height, width, scale, ratio, scaling);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends ResizeOptions<Builder> {
    private final int height;
    private final int width;
    private UniformRange scale = new UniformRange(0.08, 1.0);
    private UniformRange ratio = new UniformRange(3.0 / 4.0, 4.0 / 3.0);

    private Builder(int height, int width) {
      this.height = height;
      this.width = width;
    }

    /** Sets the area of the part, as a fraction of the image's; 0.08 to 1 by default. */
    public Builder scale(double min, double max) {
      this.scale = new UniformRange(min, max);
      return this;
    }

    /** Sets the part's width divided by its height; 3/4 to 4/3 by default. */
    public Builder ratio(double min, double max) {
      this.ratio = new UniformRange(min, max);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException unless scale and ratio are positive, finite and in order
     *     (torchvision only warns of a wrong order), or if antialiasing is off for a filter other
     *     than bilinear
     */
    public RandomResizedCrop build() {
      checkRange("scale", scale.min(), scale.max());
      checkRange("ratio", ratio.min(), ratio.max());
      return new RandomResizedCrop(this);
    }

    private static void checkRange(String option, double min, double max) {
      if (!(0 < min && min <= max && Double.isFinite(max))) {
        throw new IllegalArgumentException(
            "%s must be positive and in order, was %s to %s".formatted(option, min, max));
      }
    }
  }
}
