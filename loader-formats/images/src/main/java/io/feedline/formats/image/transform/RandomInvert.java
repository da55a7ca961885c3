package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that inverts the colors of an image with some probability: torchvision's
 * RandomInvert. The pixels are Pillow's bit for bit. Draws one number. Immutable and thread-safe.
 */
public final class RandomInvert extends RandomOperation {
  private RandomInvert(double probability) {
    super(ColorOperations.invert(), probability);
  }

  /** Returns the transform that inverts every second image, on average. */
  public static RandomInvert of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that inverts images with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomInvert of(double probability) {
    return new RandomInvert(probability);
  }
}
