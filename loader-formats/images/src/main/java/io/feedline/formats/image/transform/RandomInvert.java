package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that inverts the colors of an image with some probability: torchvision's
 * RandomInvert. The pixels are Pillow's bit for bit. Draws one number. Immutable and thread-safe.
 */
public final class RandomInvert extends Transforms.Value implements RandomTransform<Image, Image> {
  private static final PixelOperation INVERT = ColorOperations.invert();

  private final Probability options;

  private RandomInvert(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that inverts every second image, on average. */
  public static RandomInvert of() {
    return new RandomInvert(Probability.HALF);
  }

  /** Returns the transform that inverts images with this probability, 0 to 1. */
  public static RandomInvert of(double probability) {
    return new RandomInvert(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.map(INVERT) : image;
  }
}
