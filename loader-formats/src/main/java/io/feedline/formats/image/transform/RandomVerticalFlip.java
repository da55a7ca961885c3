package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * Turns an image upside down, as a mirror above it would show it, with some probability:
 * torchvision's RandomVerticalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomVerticalFlip implements RandomTransform<Image, Image> {
  private final double probability;

  private RandomVerticalFlip(double probability) {
    this.probability = probability;
  }

  /** Flips one image in two. */
  public static RandomVerticalFlip of() {
    return of(0.5);
  }

  /**
   * Flips with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomVerticalFlip of(double probability) {
    return new RandomVerticalFlip(Sizes.checkProbability(probability));
  }

  /** How likely an image is flipped, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return Draw.happens(random, probability) ? image.flipVertical() : image;
  }

  @Override
  public String toString() {
    return "RandomVerticalFlip(probability=%s)".formatted(probability);
  }
}
