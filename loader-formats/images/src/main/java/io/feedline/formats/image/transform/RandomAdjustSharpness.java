package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sharpness;
import io.feedline.formats.image.transform.internal.Sizes;

/**
 * A random transform that blurs or sharpens an image with some probability: torchvision's
 * RandomAdjustSharpness. The pixels are Pillow's bit for bit. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomAdjustSharpness extends RandomOperation {
  private final double sharpnessFactor;

  private RandomAdjustSharpness(double sharpnessFactor, double probability) {
    super(new Sharpness((float) sharpnessFactor), probability);
    this.sharpnessFactor = sharpnessFactor;
  }

  /**
   * Returns the transform that sharpens every second image, on average.
   *
   * @param sharpnessFactor 0 is blurred, 1 the image, more is sharper
   * @throws IllegalArgumentException if the factor is negative or not finite
   */
  public static RandomAdjustSharpness of(double sharpnessFactor) {
    return of(sharpnessFactor, DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that sharpens images with this probability.
   *
   * @param sharpnessFactor 0 is blurred, 1 the image, more is sharper
   * @param probability 0 to 1
   * @throws IllegalArgumentException if the factor is negative or not finite, or the probability
   *     not within 0 to 1
   */
  public static RandomAdjustSharpness of(double sharpnessFactor, double probability) {
    Sizes.checkRange("sharpnessFactor", sharpnessFactor, sharpnessFactor, 0, Float.MAX_VALUE);
    return new RandomAdjustSharpness(sharpnessFactor, probability);
  }

  /** Returns how sharp an image becomes; 1 leaves it as it is. */
  public double sharpnessFactor() {
    return sharpnessFactor;
  }

  @Override
  public String toString() {
    return "RandomAdjustSharpness(sharpnessFactor=%s, probability=%s)"
        .formatted(sharpnessFactor, probability());
  }
}
