package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that crops an image to a part of random area and aspect ratio, and scales the
 * part to a fixed size: torchvision's RandomResizedCrop, the usual augmentation of ImageNet
 * training ("Going deeper with convolutions", Szegedy et al., 2014). Only the part is decoded.
 *
 * <p>Draws and rounds as torchvision does: up to ten times an area and an aspect ratio, until a
 * part of this area and ratio fits into the image; then the part's top and left. If no part fits,
 * the result is the largest part in the center with an allowed ratio. Immutable and thread-safe.
 */
public final class RandomResizedCrop extends Transforms.Value
    implements RandomTransform<Image, Image> {
  static final int TRIES = 10;

  private record Options(
      Size size, Range scale, Range ratio, Interpolation interpolation, boolean antialias) {
    Options {
      Objects.requireNonNull(size, "size");
      requirePositive("scale", scale);
      requirePositive("ratio", ratio);
      interpolation.checkAntialias(antialias);
    }

    private static void requirePositive(String option, Range range) {
      if (!(0 < range.min() && range.min() <= range.max() && Double.isFinite(range.max()))) {
        throw new IllegalArgumentException(
            "%s must be positive and in order, was %s to %s"
                .formatted(option, range.min(), range.max()));
      }
    }
  }

  private final Options options;
  private final float logMinRatio;
  private final float logMaxRatio;

  private RandomResizedCrop(Options options) {
    super(options);
    this.options = options;
    this.logMinRatio = log((float) options.ratio.min());
    this.logMaxRatio = log((float) options.ratio.max());
  }

  /**
   * Returns the crop to a square of 1 or more pixels a side, with torchvision's defaults: 0.08 to 1
   * of the area, a ratio of 3/4 to 4/3, bilinear.
   */
  public static RandomResizedCrop of(int size) {
    return of(size, size);
  }

  /**
   * Returns the crop to {@code height} rows and {@code width} columns, each 1 or more, with the
   * defaults of {@link #of(int)}.
   */
  public static RandomResizedCrop of(int height, int width) {
    return new RandomResizedCrop(
        new Options(
            new Size(height, width),
            new Range(0.08, 1.0),
            new Range(3.0 / 4.0, 4.0 / 3.0),
            Interpolation.BILINEAR,
            true));
  }

  /**
   * Returns the same transform with another range of the part's area, as a fraction of the image's
   * area, {@code 0 < min <= max}; 0.08 to 1 by default.
   */
  public RandomResizedCrop withScale(double min, double max) {
    return with("scale", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of the part's ratio of width to height, {@code 0
   * < min <= max}; 3/4 to 4/3 by default.
   */
  public RandomResizedCrop withRatio(double min, double max) {
    return with("ratio", new Range(min, max));
  }

  /** Returns the same transform with another filter; {@link Interpolation#BILINEAR} by default. */
  public RandomResizedCrop withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with or without antialiasing; see {@link Resize#withAntialias}. */
  public RandomResizedCrop withAntialias(boolean antialias) {
    return with("antialias", antialias);
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Region part = draw(image.width(), image.height(), random);
    return image
        .crop(part)
        .resize(
            options.size.width(), options.size.height(), options.interpolation, options.antialias);
  }

  Region draw(int imageWidth, int imageHeight, RandomGenerator random) {
    double imageArea = (double) imageWidth * imageHeight;
    for (int i = 0; i < TRIES; i++) {
      double area = imageArea * options.scale.draw(random);
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
    Range ratio = options.ratio;
    double ofImage = (double) imageWidth / imageHeight;
    int w = imageWidth;
    int h = imageHeight;
    if (ofImage < ratio.min()) {
      // In an image one pixel wide, a ratio above 2 would make the height 0.
      h = Math.max(1, (int) Math.rint(w / ratio.min()));
    } else if (ofImage > ratio.max()) {
      w = Math.max(1, (int) Math.rint(h * ratio.max()));
    }
    return new Region((imageWidth - w) / 2, (imageHeight - h) / 2, w, h);
  }

  // StrictMath, so that every machine draws the same part.
  private static float log(float value) {
    return (float) StrictMath.log(value);
  }

  private static float exp(float value) {
    return (float) StrictMath.exp(value);
  }
}
