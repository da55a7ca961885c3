package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.ColorOperations;

/**
 * A random transform that inverts bright samples with some probability: torchvision's
 * RandomSolarize. The pixels are Pillow's bit for bit. Draws one number. Immutable and thread-safe.
 */
public final class RandomSolarize extends RandomOperation {
  private final double threshold;

  private RandomSolarize(double threshold, double probability) {
    super(ColorOperations.solarize(threshold), probability);
    this.threshold = threshold;
  }

  /**
   * Returns the transform that solarizes every second image, on average.
   *
   * @param threshold from this value on, 0 to 255, samples are inverted
   * @throws IllegalArgumentException if the threshold is not a number
   */
  public static RandomSolarize of(double threshold) {
    return of(threshold, DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that solarizes images with this probability.
   *
   * @param threshold from this value on, 0 to 255, samples are inverted
   * @param probability 0 to 1
   * @throws IllegalArgumentException if the threshold is not a number, or the probability not
   *     within 0 to 1
   */
  public static RandomSolarize of(double threshold, double probability) {
    if (Double.isNaN(threshold)) {
      throw new IllegalArgumentException("threshold must be a number, was " + threshold);
    }
    return new RandomSolarize(threshold, probability);
  }

  /** Returns the value from which on samples are inverted. */
  public double threshold() {
    return threshold;
  }

  @Override
  public String toString() {
    return "RandomSolarize(threshold=%s, probability=%s)".formatted(threshold, probability());
  }
}
