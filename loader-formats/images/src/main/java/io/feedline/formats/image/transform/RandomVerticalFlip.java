package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that mirrors an image, top to bottom, with some probability: torchvision's
 * RandomVerticalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomVerticalFlip implements RandomTransform<Image, Image> {
  private final double probability;

  private RandomVerticalFlip(double probability) {
    this.probability = probability;
  }

  /** Returns the transform that flips one image in two, torchvision's default. */
  public static RandomVerticalFlip of() {
    return of(0.5);
  }

  /**
   * Returns the transform that flips with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomVerticalFlip of(double probability) {
    return new RandomVerticalFlip(Sizes.checkProbability(probability));
  }

  /** Returns how likely an image is flipped, 0 to 1. */
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
