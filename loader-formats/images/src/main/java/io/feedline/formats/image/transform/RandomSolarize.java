package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that inverts bright samples with some probability: torchvision's
 * RandomSolarize. The pixels are Pillow's bit for bit. Draws one number. Immutable and thread-safe.
 */
public final class RandomSolarize extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(double threshold, double probability) {
    Options {
      if (Double.isNaN(threshold)) {
        throw new IllegalArgumentException("threshold must be a number, was " + threshold);
      }
      Sizes.checkProbability(probability);
    }
  }

  private final Options options;
  private final PixelOperation operation;

  private RandomSolarize(Options options) {
    super(options);
    this.options = options;
    this.operation = ColorOperations.solarize(options.threshold);
  }

  /**
   * Returns the transform that inverts the samples at or above a threshold, 0 to 255, in every
   * second image, on average.
   */
  public static RandomSolarize of(double threshold) {
    return of(threshold, 0.5);
  }

  /** Returns the transform of {@link #of(double)} with another probability, 0 to 1. */
  public static RandomSolarize of(double threshold, double probability) {
    return new RandomSolarize(new Options(threshold, probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return Draw.happens(random, options.probability) ? image.map(operation) : image;
  }
}
