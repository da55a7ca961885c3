package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that mirrors an image, left to right, with some probability: torchvision's
 * RandomHorizontalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomHorizontalFlip extends Transforms.Value
    implements RandomTransform<Image, Image> {
  private final Probability options;

  private RandomHorizontalFlip(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that mirrors every second image, on average. */
  public static RandomHorizontalFlip of() {
    return new RandomHorizontalFlip(Probability.HALF);
  }

  /** Returns the transform that mirrors images with this probability, 0 to 1. */
  public static RandomHorizontalFlip of(double probability) {
    return new RandomHorizontalFlip(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.flipHorizontal() : image;
  }
}
