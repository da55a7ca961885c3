package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that makes an image gray with some probability, as {@link Grayscale} does, and
 * leaves the number of its channels alone: torchvision's RandomGrayscale. Draws one number.
 * Immutable and thread-safe.
 */
public final class RandomGrayscale extends RandomOperation {
  private static final double DEFAULT_PROBABILITY = 0.1;

  private RandomGrayscale(double probability) {
    super(ColorOperations.grayscale(), probability);
  }

  /** Returns the transform that makes one image in ten gray, torchvision's default. */
  public static RandomGrayscale of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that makes images gray with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomGrayscale of(double probability) {
    return new RandomGrayscale(probability);
  }
}
