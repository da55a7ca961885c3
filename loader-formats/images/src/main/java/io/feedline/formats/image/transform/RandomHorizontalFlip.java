package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that mirrors an image, left to right, with some probability: torchvision's
 * RandomHorizontalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomHorizontalFlip implements RandomTransform<Image, Image> {
  private final double probability;

  private RandomHorizontalFlip(double probability) {
    this.probability = probability;
  }

  /** Returns the transform that mirrors one image in two, torchvision's default. */
  public static RandomHorizontalFlip of() {
    return of(0.5);
  }

  /**
   * Returns the transform that mirrors with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomHorizontalFlip of(double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability must be 0 to 1, was " + probability);
    }
    return new RandomHorizontalFlip(probability);
  }

  /** Returns how likely an image is mirrored, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return Draw.unit(random) < (float) probability ? image.flipHorizontal() : image;
  }

  @Override
  public String toString() {
    return "RandomHorizontalFlip(probability=%s)".formatted(probability);
  }
}
