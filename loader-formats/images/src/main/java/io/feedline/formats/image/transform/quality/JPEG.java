package io.feedline.formats.image.transform.quality;

import io.feedline.formats.image.Image;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that compresses an image as a JPEG and decodes it: JPEG of torchvision's v2.
 * Draws the quality, uniformly from its range. The pixels are Pillow's bit for bit; see {@link
 * Image#jpeg}. Immutable and thread-safe.
 */
@SuppressWarnings("IdentifierName") // torchvision's name
public final class JPEG extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(int minQuality, int maxQuality) {
    Options {
      if (minQuality < 1 || minQuality > maxQuality || maxQuality > 100) {
        throw new IllegalArgumentException(
            "quality must be within 1 to 100 and in order, was %d..%d"
                .formatted(minQuality, maxQuality));
      }
    }
  }

  private final Options options;

  private JPEG(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform with a fixed quality, from 1, the worst, to 100. */
  public static JPEG of(int quality) {
    return of(quality, quality);
  }

  /** Returns the transform with a quality from a range within 1 to 100, both ends included. */
  public static JPEG of(int minQuality, int maxQuality) {
    return new JPEG(new Options(minQuality, maxQuality));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side exceeds 65500 pixels
   * @throws IllegalStateException if samples have 16 bits
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    return image.jpeg(
        options.minQuality + Draw.below(random, options.maxQuality - options.minQuality + 1));
  }
}
