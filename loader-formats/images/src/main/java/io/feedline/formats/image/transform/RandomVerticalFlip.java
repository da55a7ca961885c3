package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;

/**
 * A random transform that mirrors an image, top to bottom, with some probability: torchvision's
 * RandomVerticalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomVerticalFlip extends RandomOperation {
  private RandomVerticalFlip(double probability) {
    super(Image::flipVertical, probability);
  }

  /** Returns the transform that flips one image in two, torchvision's default. */
  public static RandomVerticalFlip of() {
    return of(DEFAULT_PROBABILITY);
  }

  /**
   * Returns the transform that flips with this probability.
   *
   * @throws IllegalArgumentException unless it is within 0 to 1
   */
  public static RandomVerticalFlip of(double probability) {
    return new RandomVerticalFlip(probability);
  }
}
