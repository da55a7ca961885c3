package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.PerspectiveMatrix;
import io.feedline.formats.image.PerspectiveMatrix.Corner;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A random transform that shows an image like a picture on a wall, seen from the side, with some
 * probability: torchvision's RandomPerspective. The four corners move inwards, each by itself. The
 * pixels are Pillow's bit for bit, given the corners.
 *
 * <p>Draws whether it acts; then, clockwise from the upper left one, where each corner comes to
 * lie, along x and along y. An image whose corners come to lie on a line, such as one of a single
 * row, at which torchvision fails, is left as it is. Immutable and thread-safe.
 */
public final class RandomPerspective extends WarpingTransform {
  private final double distortionScale;
  private final double probability;

  private RandomPerspective(Builder builder) {
    super(builder.warp());
    this.distortionScale = builder.distortionScale;
    this.probability = builder.probability;
  }

  /**
   * Returns the transform with torchvision's defaults: a distortion of 0.5 for every second image,
   * bilinear, black.
   */
  public static RandomPerspective of() {
    return builder().build();
  }

  /**
   * Returns the transform with torchvision's defaults for all but these.
   *
   * @param distortionScale largest move of corners, 0 to 1, where 1 reaches the middle
   * @param probability probability of a change, 0 to 1
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public static RandomPerspective of(double distortionScale, double probability) {
    return builder().distortionScale(distortionScale).probability(probability).build();
  }

  /** Returns a builder with the defaults of {@link #of()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how far corners move at most, 0 to 1, where 1 is the middle. */
  public double distortionScale() {
    return distortionScale;
  }

  /** Returns how likely an image is changed, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    if (!Draw.happens(random, probability)) {
      return image;
    }
    Optional<PerspectiveMatrix> matrix =
        PerspectiveMatrix.between(
            corners(image.width(), image.height()), draw(image.width(), image.height(), random));
    return matrix.map(m -> image.perspective(m, warp.filter(), warp.fill())).orElse(image);
  }

  /** Returns the corners of an image, clockwise from the upper left one. */
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
    int reachX = (int) (distortionScale * middleX) + 1;
    int reachY = (int) (distortionScale * middleY) + 1;
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

  @Override
  public String toString() {
    return "RandomPerspective(distortionScale=%s, probability=%s, interpolation=%s, fill=%s)"
        .formatted(distortionScale, probability, warp.filter(), Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions<Builder> {
    private double distortionScale = 0.5;
    private double probability = 0.5;

    private Builder() {
      super(Interpolation.BILINEAR);
    }

    /**
     * Sets how far corners move at most, 0 to 1, where 1 is the middle; 0.5 by default.
     *
     * @throws IllegalArgumentException unless it is within 0 to 1
     */
    public Builder distortionScale(double distortionScale) {
      Sizes.checkRange("distortionScale", distortionScale, distortionScale, 0, 1);
      this.distortionScale = distortionScale;
      return this;
    }

    /**
     * Sets how likely an image is changed; 0.5 by default.
     *
     * @throws IllegalArgumentException unless it is within 0 to 1
     */
    public Builder probability(double probability) {
      this.probability = Sizes.checkProbability(probability);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic
     */
    public RandomPerspective build() {
      return new RandomPerspective(this);
    }
  }
}
