package io.feedline.formats.image.transform.quality;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.internal.NormalDraws;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that adds noise of a normal distribution to each sample: GaussianNoise of
 * torchvision's v2, for images of unsigned bytes; the fraction of the added noise is cut off. The
 * numbers of the noise come from a seed that is drawn, and are others than PyTorch's. Sums are
 * clipped to 0 and 255. A gray image gets one number for each pixel, alpha none. Immutable and
 * thread-safe.
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
   * Returns the transform with this noise, both finite and on the scale of 0 to 1; {@code sigma} is
   * 0 or more.
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

  /** The noise of one image, in levels of 255, the same if it is drawn for all places. */
  private record Noise(double mean, double sigma, boolean gray, long seed)
      implements PixelOperation {

    @Override
    public void apply(byte[] rgb, int width, int height) {
      NormalDraws draws = new NormalDraws(new SampleRandom(seed, 0, 0, 0));
      int added = 0;
      for (int i = 0; i < 3 * width * height; i++) {
        if (!gray || i % 3 == 0) {
          int noise = (int) ((float) mean + (float) draws.next() * (float) sigma);
          added = Math.max(-255, Math.min(255, noise)); // or the sum overflows
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
