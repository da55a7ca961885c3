package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Blur;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that blurs an image by a Gaussian kernel with a random standard deviation:
 * torchvision's GaussianBlur. Draws the deviation, uniformly from its range. Immutable and
 * thread-safe.
 *
 * <p>A sample at a rounding limit may differ from torchvision's by 1, since floats are added in
 * another order. An image smaller than half of the kernel is reflected as often as needed;
 * torchvision fails for such an image.
 */
public final class GaussianBlur extends Transforms.Value implements RandomTransform<Image, Image> {
  private static final int LARGEST_KERNEL = 4095;

  private record Options(int kernelWidth, int kernelHeight, Range sigma) {
    Options {
      checkKernel("kernelWidth", kernelWidth);
      checkKernel("kernelHeight", kernelHeight);
      sigma.within("sigma", Float.MIN_VALUE, Float.MAX_VALUE);
    }

    private static void checkKernel(String option, int size) {
      if (size < 1 || size > LARGEST_KERNEL || size % 2 == 0) {
        throw new IllegalArgumentException(
            "%s must be odd and from 1 to %d, was %d".formatted(option, LARGEST_KERNEL, size));
      }
    }
  }

  private final Options options;

  private GaussianBlur(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform with a square kernel, of an odd size of 1 to 4095, and torchvision's
   * default deviation, 0.1 to 2 pixels.
   */
  public static GaussianBlur of(int kernelSize) {
    return of(kernelSize, kernelSize);
  }

  /**
   * Returns the transform with a rectangular kernel of odd sides, 1 to 4095, the width first as in
   * torchvision, and the default deviation of {@link #of(int)}.
   */
  public static GaussianBlur of(int kernelWidth, int kernelHeight) {
    return new GaussianBlur(new Options(kernelWidth, kernelHeight, new Range(0.1, 2)));
  }

  /** Returns the same transform with one standard deviation for all images, in pixels, above 0. */
  public GaussianBlur withSigma(double sigma) {
    return withSigma(sigma, sigma);
  }

  /**
   * Returns the same transform with another range of the standard deviation, in pixels, {@code 0 <
   * min <= max}.
   */
  public GaussianBlur withSigma(double min, double max) {
    return with("sigma", new Range(min, max));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return image.map(
        new Blur(options.kernelWidth, options.kernelHeight, options.sigma.draw(random)));
  }
}
