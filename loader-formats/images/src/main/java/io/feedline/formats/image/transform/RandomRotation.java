package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random transform that turns an image by a random angle, counter-clockwise: torchvision's
 * RandomRotation. Draws the angle, uniformly from its range. The pixels are Pillow's bit for bit,
 * given the angle. Immutable and thread-safe.
 */
public final class RandomRotation extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(
      Range degrees,
      Interpolation interpolation,
      boolean expand,
      Optional<Point> center,
      Fill fill) {
    Options {
      degrees.finite("degrees");
      center.ifPresent(point -> point.finite("center"));
      Warp.of(interpolation, fill);
    }
  }

  private final Options options;
  private final Warp warp;

  private RandomRotation(Options options) {
    super(options);
    this.options = options;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /**
   * Returns the transform that turns by {@code -degrees} to {@code degrees}, 0 or more, with
   * torchvision's defaults: the nearest-pixel filter, the size of the image and black corners.
   */
  public static RandomRotation of(double degrees) {
    return of(Range.around0("degrees", degrees));
  }

  /**
   * Returns the transform that turns by an angle from a range, {@code minDegrees <= maxDegrees},
   * with the defaults of {@link #of(double)}.
   */
  public static RandomRotation of(double minDegrees, double maxDegrees) {
    return of(new Range(minDegrees, maxDegrees));
  }

  private static RandomRotation of(Range degrees) {
    return new RandomRotation(
        new Options(degrees, Interpolation.NEAREST, false, Optional.empty(), Fill.BLACK));
  }

  /**
   * Returns the same transform with another size of the result. If {@code expand} is true, the
   * result contains the whole turned image; if false, the default, it has the image's size.
   */
  public RandomRotation withExpand(boolean expand) {
    return with("expand", expand);
  }

  /**
   * Returns the same transform around another fixed point, in pixels from the upper left corner;
   * the center of the image by default.
   */
  public RandomRotation withCenter(double x, double y) {
    return with("center", Optional.of(new Point(x, y)));
  }

  /** Returns the same transform with another filter: nearest (the default), bilinear or bicubic. */
  public RandomRotation withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public RandomRotation withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    double angle = options.degrees.draw(random);
    Point center = options.center.orElse(null);
    return center == null
        ? warp.rotate(image, angle, options.expand)
        : warp.rotateAround(image, angle, center.x(), center.y(), options.expand);
  }
}
