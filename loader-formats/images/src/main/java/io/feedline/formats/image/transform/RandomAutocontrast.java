package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that stretches each channel to 0..255 with some probability: torchvision's
 * RandomAutocontrast. The pixels are Pillow's bit for bit. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomAutocontrast extends Transforms.Value
    implements RandomTransform<Image, Image> {
  private static final PixelOperation AUTOCONTRAST = ColorOperations.autocontrast();

  private final Probability options;

  private RandomAutocontrast(Probability options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that stretches every second image, on average. */
  public static RandomAutocontrast of() {
    return new RandomAutocontrast(Probability.HALF);
  }

  /** Returns the transform that stretches images with this probability, 0 to 1. */
  public static RandomAutocontrast of(double probability) {
    return new RandomAutocontrast(new Probability(probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return options.happens(random) ? image.map(AUTOCONTRAST) : image;
  }
}
