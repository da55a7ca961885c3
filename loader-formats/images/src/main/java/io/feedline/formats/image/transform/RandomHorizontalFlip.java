package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;

/**
 * A random transform that mirrors an image, left to right, with some probability: torchvision's
 * RandomHorizontalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomHorizontalFlip extends RandomOperation {
  private RandomHorizontalFlip(double probability) {
    super(Image::flipHorizontal, probability);
  }

  /** Returns the transform that mirrors one image in two, torchvision's default. */
  public static RandomHorizontalFlip of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that mirrors with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomHorizontalFlip of(double probability) {
    return new RandomHorizontalFlip(probability);
  }
}
