package io.feedline.formats.image.transform.quality;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.internal.NormalDraws;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that adds normally distributed noise to each sample: GaussianNoise of
 * torchvision's v2, for images of unsigned bytes. The noise is truncated to a whole number before
 * it is added, and sums are clipped to 0 and 255. Draws a seed for the noise; PyTorch's noise for
 * this seed is different. A gray image has one noise value for each pixel. Alpha has no noise.
 * Immutable and thread-safe.
 */
public final class GaussianNoise extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(double mean, double sigma) {
    Options {
      if (!Double.isFinite(mean)) {
        throw new IllegalArgumentException("mean must be finite, was " + mean);
      }
      if (!(sigma >= 0 && sigma < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("sigma must be 0 or more and finite, was " + sigma);
      }
    }
  }

  private final Options options;

  private GaussianNoise(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform with torchvision's defaults: a mean of 0, and a deviation of 0.1. */
  public static GaussianNoise of() {
    return of(0, 0.1);
  }

  /**
   * Returns the transform with noise of this mean and standard deviation, on the scale of 0 to 1.
   * Both are finite; {@code sigma} is 0 or more.
   */
  public static GaussianNoise of(double mean, double sigma) {
    return new GaussianNoise(new Options(mean, sigma));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if samples have 16 bits
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    boolean gray = image.mode().channels() == 1;
    return image.map(new Noise(options.mean * 255, options.sigma * 255, gray, random.nextLong()));
  }

  /** The noise of one image, on the scale of 0 to 255. With the same seed the noise is the same. */
  private record Noise(double mean, double sigma, boolean gray, long seed)
      implements PixelOperation {

    @Override
    public void apply(byte[] rgb, int width, int height) {
      NormalDraws draws = new NormalDraws(new SampleRandom(seed, 0, 0, 0));
      int added = 0;
      for (int i = 0; i < 3 * width * height; i++) {
        if (!gray || i % 3 == 0) {
          int noise = (int) ((float) mean + (float) draws.next() * (float) sigma);
          added = Math.max(-255, Math.min(255, noise)); // so that the sum does not overflow
        }
        rgb[i] = (byte) Math.max(0, Math.min(255, (rgb[i] & 0xFF) + added));
      }
    }

    @Override
    public String toString() {
      return "GaussianNoise(seed=%d)".formatted(seed);
    }
  }
}
