package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * A random transform that scales an image so that its shorter edge has one of several lengths, and
 * keeps the aspect ratio: RandomShortestSize of torchvision's v2.
 *
 * <p>Draws one number, for the length. Sizes are cut off to whole pixels; a side that would vanish,
 * at which torchvision fails, becomes one pixel. Immutable and thread-safe.
 */
public final class RandomShortestSize extends ScalingTransform {
  private final int[] minSizes;
  private final int maxSize;

  private RandomShortestSize(Builder builder) {
    super(builder.scaling());
    this.minSizes = builder.minSizes;
    this.maxSize = builder.maxSize;
  }

  /**
   * Returns the transform to one of these lengths of the shorter edge; bilinear, without a limit of
   * the longer one.
   *
   * @throws IllegalArgumentException if no length is given, or one is less than 1
   */
  public static RandomShortestSize of(int... minSizes) {
    return builder(minSizes).build();
  }

  /**
   * Returns a builder for these lengths of the shorter edge.
   *
   * @throws IllegalArgumentException if no length is given, or one is less than 1
   */
  public static Builder builder(int... minSizes) {
    return new Builder(minSizes.clone());
  }

  /** Returns the lengths of the shorter edge, in a new array. */
  public int[] minSizes() {
    return minSizes.clone();
  }

  /** Returns the length that the longer edge must not exceed; empty without a limit. */
  public OptionalInt maxSize() {
    return maxSize == 0 ? OptionalInt.empty() : OptionalInt.of(maxSize);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    int minSize = minSizes[Draw.below(random, minSizes.length)];
    double factor = (double) minSize / Math.min(image.width(), image.height());
    if (maxSize != 0) {
      factor = Math.min(factor, (double) maxSize / Math.max(image.width(), image.height()));
    }
    return scaling.resize(image, length(image.width() * factor), length(image.height() * factor));
  }

  private static int length(double length) {
    return Math.max(1, (int) length);
  }

  @Override
  public String toString() {
    String limit = maxSize == 0 ? "" : ", maxSize=" + maxSize;
    return "RandomShortestSize(minSizes=%s%s, %s)"
        .formatted(Arrays.toString(minSizes), limit, scaling);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends ResizeOptions<Builder> {
    private final int[] minSizes;
    private int maxSize;

    private Builder(int... minSizes) {
      if (minSizes.length == 0) {
        throw new IllegalArgumentException("minSizes must have a length of the shorter edge");
      }
      for (int size : minSizes) {
        Sizes.check("minSizes", size);
      }
      this.minSizes = minSizes;
    }

    /**
     * Sets the length that the longer edge must not exceed: an image that would is scaled further
     * down, until its longer edge has this length. No limit by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxSize(int maxSize) {
      this.maxSize = Sizes.check("maxSize", maxSize);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if antialiasing is off for a filter other than bilinear
     */
    public RandomShortestSize build() {
      return new RandomShortestSize(this);
    }
  }
}
