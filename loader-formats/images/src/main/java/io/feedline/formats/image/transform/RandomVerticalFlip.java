package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that mirrors an image, top to bottom, with some probability: torchvision's
 * RandomVerticalFlip. Draws one number. Immutable and thread-safe.
 */
public final class RandomVerticalFlip extends Transforms.Value
    implements RandomTransform<Image, Image> {
  private final Probability options;

  private RandomVerticalFlip(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that mirrors every second image, on average. */
  public static RandomVerticalFlip of() {
    return new RandomVerticalFlip(Probability.HALF);
  }

  /** Returns the transform that mirrors images with this probability, 0 to 1. */
  public static RandomVerticalFlip of(double probability) {
    return new RandomVerticalFlip(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.flipVertical() : image;
  }
}
