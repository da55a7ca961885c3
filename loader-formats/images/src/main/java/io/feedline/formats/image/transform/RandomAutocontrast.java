package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that stretches each channel to 0..255 with some probability: torchvision's
 * RandomAutocontrast. The pixels are Pillow's bit for bit. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomAutocontrast extends RandomOperation {
  private RandomAutocontrast(double probability) {
    super(ColorOperations.autocontrast(), probability);
  }

  /** Returns the transform that stretches every second image, on average. */
  public static RandomAutocontrast of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that stretches images with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomAutocontrast of(double probability) {
    return new RandomAutocontrast(probability);
  }
}
