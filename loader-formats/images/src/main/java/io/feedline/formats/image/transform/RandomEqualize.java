package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that makes all values of a channel about equally frequent with some
 * probability: torchvision's RandomEqualize. The pixels are Pillow's bit for bit. Draws one number.
 * Immutable and thread-safe.
 */
public final class RandomEqualize extends Transforms.Value
    implements RandomTransform<Image, Image> {
  private static final PixelOperation EQUALIZE = ColorOperations.equalize();

  private final Probability options;

  private RandomEqualize(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that equalizes every second image, on average. */
  public static RandomEqualize of() {
    return new RandomEqualize(Probability.HALF);
  }

  /** Returns the transform that equalizes images with this probability, 0 to 1. */
  public static RandomEqualize of(double probability) {
    return new RandomEqualize(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.map(EQUALIZE) : image;
  }
}
