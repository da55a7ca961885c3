package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.Sharpness;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that blurs or sharpens an image with some probability: torchvision's
 * RandomAdjustSharpness. The pixels are Pillow's bit for bit. Draws one number. Immutable and
 * thread-safe.
 */
public final class RandomAdjustSharpness extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(double sharpnessFactor, double probability) {
    Options {
      Sizes.checkRange("sharpnessFactor", sharpnessFactor, sharpnessFactor, 0, Float.MAX_VALUE);
      Sizes.checkProbability(probability);
    }
  }

  private final Options options;
  private final PixelOperation operation;

  private RandomAdjustSharpness(Options options) {
    super(options);
    this.options = options;
    this.operation = new Sharpness((float) options.sharpnessFactor);
  }

  /**
   * Returns the transform that sharpens every second image, on average, by a factor of 0 or more: 0
   * blurs, 1 changes nothing, a larger factor sharpens.
   */
  public static RandomAdjustSharpness of(double sharpnessFactor) {
    return of(sharpnessFactor, 0.5);
  }

  /** Returns the transform of {@link #of(double)} with another probability, 0 to 1. */
  public static RandomAdjustSharpness of(double sharpnessFactor, double probability) {
    return new RandomAdjustSharpness(new Options(sharpnessFactor, probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return Draw.happens(random, options.probability) ? image.map(operation) : image;
  }
}
