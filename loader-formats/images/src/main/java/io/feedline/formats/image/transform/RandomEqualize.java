package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that makes all values of a channel about equally frequent with some
 * probability: torchvision's RandomEqualize. The pixels are Pillow's bit for bit. Draws one number.
 * Immutable and thread-safe.
 */
public final class RandomEqualize extends RandomOperation {
  private RandomEqualize(double probability) {
    super(ColorOperations.equalize(), probability);
  }

  /** Returns the transform that equalizes every second image, on average. */
  public static RandomEqualize of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that equalizes images with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomEqualize of(double probability) {
    return new RandomEqualize(probability);
  }
}
