package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.PerspectiveMatrix;
import io.feedline.formats.image.PerspectiveMatrix.Corner;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random transform that shows an image, with some probability, like a picture on a wall seen from
 * the side: torchvision's RandomPerspective. Each of the four corners moves inwards, independently.
 * The pixels are Pillow's bit for bit, given the corners.
 *
 * <p>Draws whether to change the image; then, clockwise from the upper left corner, the new
 * position of each corner, along x and along y. An image whose corners would lie on a line, such as
 * an image of a single row, stays unchanged; torchvision fails for such an image. Immutable and
 * thread-safe.
 */
public final class RandomPerspective extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(
      double distortionScale, double probability, Interpolation interpolation, Fill fill) {
    Options {
      new Range(distortionScale, distortionScale).within("distortionScale", 0, 1);
      Sizes.checkProbability(probability);
      Warp.of(interpolation, fill);
    }
  }

  private final Options options;
  private final Warp warp;

  private RandomPerspective(Options options) {
    super(options);
    this.options = options;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /**
   * Returns the transform with torchvision's defaults: a distortion of 0.5 for every second image,
   * a bilinear filter and a black fill.
   */
  public static RandomPerspective of() {
    return of(0.5, 0.5);
  }

  /**
   * Returns the transform with torchvision's defaults for all other options.
   *
   * @param distortionScale the largest movement of corners, 0 to 1; 1 reaches the center
   * @param probability probability of a change, 0 to 1
   */
  public static RandomPerspective of(double distortionScale, double probability) {
    return new RandomPerspective(
        new Options(distortionScale, probability, Interpolation.BILINEAR, Fill.BLACK));
  }

  /** Returns the same transform with another probability, 0 to 1. */
  public RandomPerspective withProbability(double probability) {
    return with("probability", probability);
  }

  /** Returns the same transform with another filter: nearest, bilinear (the default) or bicubic. */
  public RandomPerspective withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public RandomPerspective withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    if (!Draw.happens(random, options.probability)) {
      return image;
    }
    Optional<PerspectiveMatrix> matrix =
        PerspectiveMatrix.between(
            corners(image.width(), image.height()), draw(image.width(), image.height(), random));
    return matrix.map(m -> image.perspective(m, warp.filter(), warp.fill())).orElse(image);
  }

  /** Returns the corners of an image, clockwise from the upper left corner. */
  static Corner[] corners(int width, int height) {
    return new Corner[] {
      new Corner(0, 0),
      new Corner(width - 1, 0),
      new Corner(width - 1, height - 1),
      new Corner(0, height - 1),
    };
  }

  private Corner[] draw(int width, int height, RandomGenerator random) {
    int middleX = width / 2;
    int middleY = height / 2;
    int reachX = (int) (options.distortionScale * middleX) + 1;
    int reachY = (int) (options.distortionScale * middleY) + 1;
    int right = width - reachX;
    int bottom = height - reachY;
    return new Corner[] {
      corner(0, 0, reachX, reachY, random),
      corner(right, 0, reachX, reachY, random),
      corner(right, bottom, reachX, reachY, random),
      corner(0, bottom, reachX, reachY, random),
    };
  }

  private static Corner corner(int x, int y, int reachX, int reachY, RandomGenerator random) {
    int movedX = x + Draw.below(random, reachX);
    return new Corner(movedX, y + Draw.below(random, reachY));
  }
}
