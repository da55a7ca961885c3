package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that puts an image anywhere onto a larger canvas, with some probability:
 * RandomZoomOut of torchvision's v2, which makes small objects for detectors ("SSD: Single Shot
 * MultiBox Detector", Liu et al., 2015). The result is up to four times as wide and high by
 * default.
 *
 * <p>Draws whether it acts; then the factor of both sides, and where the image lies, along x and
 * along y. Immutable and thread-safe.
 */
public final class RandomZoomOut implements RandomTransform<Image, Image> {
  private final UniformRange side;
  private final int fill;
  private final double probability;

  private RandomZoomOut(Builder builder) {
    this.side = builder.side;
    this.fill = builder.fill;
    this.probability = builder.probability;
  }

  /**
   * Returns the transform with torchvision's defaults: a black canvas whose sides are 1 to 4 times
   * as long, for every second image.
   */
  public static RandomZoomOut of() {
    return builder().build();
  }

  /** Returns a builder with the defaults of {@link #of}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how much longer the sides become at least. */
  public double minSide() {
    return side.min();
  }

  /** Returns how much longer the sides become at most. */
  public double maxSide() {
    return side.max();
  }

  /** Returns the color of the canvas, as {@code 0xRRGGBB}. */
  public int fill() {
    return fill;
  }

  /** Returns how likely an image is changed, 0 to 1. */
  public double probability() {
    return probability;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    if (!Draw.happens(random, probability)) {
      return image;
    }
    float factor = side.drawInTwoSteps(random);
    int addedColumns = Math.max(0, (int) (image.width() * factor) - image.width());
    int addedRows = Math.max(0, (int) (image.height() * factor) - image.height());
    int left = (int) (addedColumns * Draw.unit(random));
    int top = (int) (addedRows * Draw.unit(random));
    return image.pad(
        new Border(left, top, addedColumns - left, addedRows - top, PaddingMode.CONSTANT, fill));
  }

  @Override
  public String toString() {
    return "RandomZoomOut(sideRange=%s, fill=%s, probability=%s)"
        .formatted(side, Fill.words(fill), probability);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder {
    private UniformRange side = new UniformRange(1, 4);
    private int fill = Fill.BLACK;
    private double probability = 0.5;

    private Builder() {}

    /**
     * Sets how much longer the sides become; 1 to 4 by default.
     *
     * @throws IllegalArgumentException unless they are in order, 1 or more and finite
     */
    public Builder sideRange(double min, double max) {
      Sizes.checkRange("sideRange", min, max, 1, Image.MAX_SIDE);
      this.side = new UniformRange(min, max);
      return this;
    }

    /**
     * Sets the color of the canvas; black by default.
     *
     * @throws IllegalArgumentException if one of them is not within 0 to 255
     */
    public Builder fill(int red, int green, int blue) {
      this.fill = Fill.of(red, green, blue);
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

    /** Builds the transform. */
    public RandomZoomOut build() {
      return new RandomZoomOut(this);
    }
  }
}
