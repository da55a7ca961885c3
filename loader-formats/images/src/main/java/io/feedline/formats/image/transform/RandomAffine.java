package io.feedline.formats.image.transform;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random transform that turns, moves, scales and shears an image around its center, and keeps its
 * size: torchvision's RandomAffine. The pixels are Pillow's bit for bit, given the parameters.
 *
 * <p>Draws, each uniformly from its range: the angle, clockwise; the movements along x and y, which
 * are rounded to pixels; the scale; the shears along x and y. Draws nothing for options that are
 * not set. Immutable and thread-safe.
 */
public final class RandomAffine extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(
      Range degrees,
      Optional<Point> translate,
      Optional<Range> scale,
      Optional<Range> shearX,
      Optional<Range> shearY,
      Optional<Point> center,
      Interpolation interpolation,
      Fill fill) {
    Options {
      degrees.finite("degrees");
      translate.ifPresent(most -> most.within("translate", 0, 1));
      scale.ifPresent(range -> range.positive("scale"));
      shearX.ifPresent(range -> range.finite("shear x"));
      shearY.ifPresent(range -> range.finite("shear y"));
      center.ifPresent(point -> point.finite("center"));
      Warp.of(interpolation, fill);
    }
  }

  private final Options options;
  private final Warp warp;

  private RandomAffine(Options options) {
    super(options);
    this.options = options;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /**
   * Returns the transform that turns by {@code -degrees} to {@code degrees}, 0 or more, and changes
   * nothing else.
   */
  public static RandomAffine of(double degrees) {
    return of(Range.around0("degrees", degrees));
  }

  /**
   * Returns the transform that turns by an angle from a range, {@code minDegrees <= maxDegrees},
   * and changes nothing else.
   */
  public static RandomAffine of(double minDegrees, double maxDegrees) {
    return of(new Range(minDegrees, maxDegrees));
  }

  private static RandomAffine of(Range degrees) {
    return new RandomAffine(
        new Options(
            degrees,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Interpolation.NEAREST,
            Fill.BLACK));
  }

  /**
   * Returns the same transform with movements of at most {@code x} times the width and {@code y}
   * times the height, each 0 to 1; without movement by default.
   */
  public RandomAffine withTranslate(double x, double y) {
    return with("translate", Optional.of(new Point(x, y)));
  }

  /**
   * Returns the same transform with a range of factors, {@code 0 < min <= max}, by which the image
   * is enlarged; without scaling by default.
   */
  public RandomAffine withScale(double min, double max) {
    return with("scale", Optional.of(new Range(min, max)));
  }

  /**
   * Returns the same transform with shears along x, from {@code -degrees} to {@code degrees}, 0 or
   * more; without shears by default.
   */
  public RandomAffine withShear(double degrees) {
    return with("shearX", Optional.of(Range.around0("shear", degrees)));
  }

  /** Returns the same transform with shears along x, in degrees, {@code min <= max}. */
  public RandomAffine withShear(double min, double max) {
    return with("shearX", Optional.of(new Range(min, max)));
  }

  /**
   * Returns the same transform with shears along both axes, in degrees; each minimum is at most its
   * maximum.
   */
  public RandomAffine withShear(double minX, double maxX, double minY, double maxY) {
    return withShear(minX, maxX).with("shearY", Optional.of(new Range(minY, maxY)));
  }

  /**
   * Returns the same transform around another fixed point, in pixels from the upper left corner;
   * the center of the image by default.
   */
  public RandomAffine withCenter(double x, double y) {
    return with("center", Optional.of(new Point(x, y)));
  }

  /** Returns the same transform with another filter: nearest (the default), bilinear or bicubic. */
  public RandomAffine withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public RandomAffine withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    double angle = options.degrees.draw(random);
    Point most = options.translate.orElse(null);
    Point center = options.center.orElse(null);
    double dx = most == null ? 0 : movement(most.x() * image.width(), random);
    double dy = most == null ? 0 : movement(most.y() * image.height(), random);
    double factor = drawn(options.scale, 1, random);
    double sx = drawn(options.shearX, 0, random);
    double sy = drawn(options.shearY, 0, random);
    double x = center == null ? image.width() * 0.5 : center.x();
    double y = center == null ? image.height() * 0.5 : center.y();
    return warp.affine(image, AffineMatrix.inverse(x, y, angle, dx, dy, factor, sx, sy));
  }

  private static double drawn(Optional<Range> range, double ifNotSet, RandomGenerator random) {
    return range.isPresent() ? range.get().draw(random) : ifNotSet;
  }

  private static double movement(double most, RandomGenerator random) {
    return Math.rint(Draw.uniform(random, (float) -most, (float) most));
  }
}
