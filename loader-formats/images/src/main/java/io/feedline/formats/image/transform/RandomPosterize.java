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
 * A random transform that keeps only the upper bits of samples, with some probability:
 * torchvision's RandomPosterize. The pixels are Pillow's bit for bit. Draws one number. Immutable
 * and thread-safe.
 */
public final class RandomPosterize extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(int bits, double probability) {
    Options {
      if (bits < 0 || bits > 8) {
        throw new IllegalArgumentException("bits must be 0 to 8, was " + bits);
      }
      Sizes.checkProbability(probability);
    }
  }

  private final Options options;
  private final PixelOperation operation;

  private RandomPosterize(Options options) {
    super(options);
    this.options = options;
    this.operation = ColorOperations.posterize(options.bits);
  }

  /**
   * Returns the transform that keeps the upper {@code bits} bits, 0 to 8, of each sample of every
   * second image, on average.
   */
  public static RandomPosterize of(int bits) {
    return of(bits, 0.5);
  }

  /** Returns the transform of {@link #of(int)} with another probability, 0 to 1. */
  public static RandomPosterize of(int bits, double probability) {
    return new RandomPosterize(new Options(bits, probability));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return Draw.happens(random, options.probability) ? image.map(operation) : image;
  }
}
