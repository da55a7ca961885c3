package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that makes an image gray with some probability, as {@link Grayscale} does, and
 * keeps its number of channels: torchvision's RandomGrayscale. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomGrayscale extends Transforms.Value
    implements RandomTransform<Image, Image> {
  private final Probability options;

  private RandomGrayscale(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that makes one image in ten gray, torchvision's default. */
  public static RandomGrayscale of() {
    return of(0.1);
  }

  /** Returns the transform that makes images gray with this probability, 0 to 1. */
  public static RandomGrayscale of(double probability) {
    return new RandomGrayscale(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.map(Grayscale.GRAYSCALE) : image;
  }
}
