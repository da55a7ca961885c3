package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Blur;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.RandomTransform;
import java.util.random.RandomGenerator;

/**
 * A random transform that blurs an image by a Gaussian kernel with a random standard deviation:
 * torchvision's GaussianBlur. Draws the deviation, evenly from its range. Immutable and
 * thread-safe.
 *
 * <p>A sample may differ from torchvision's by one level, where it lies at a rounding limit: the
 * sums of floats are taken in another order. An image smaller than half of the kernel, at which
 * torchvision fails, is continued by reflection as often as needed.
 */
public final class GaussianBlur implements RandomTransform<Image, Image> {
  private final int kernelWidth;
  private final int kernelHeight;
  private final UniformRange sigma;

  private GaussianBlur(Builder builder) {
    this.kernelWidth = builder.kernelWidth;
    this.kernelHeight = builder.kernelHeight;
    this.sigma = builder.sigma;
  }

  /**
   * Returns the transform with a square kernel and torchvision's default deviation, 0.1 to 2
   * pixels.
   *
   * @param kernelSize odd
   * @throws IllegalArgumentException if it is not odd and from 1 to 4095
   */
  public static GaussianBlur of(int kernelSize) {
    return builder(kernelSize, kernelSize).build();
  }

  /**
   * Returns a builder for a square kernel.
   *
   * @throws IllegalArgumentException if it is not odd and from 1 to 4095
   */
  public static Builder builder(int kernelSize) {
    return builder(kernelSize, kernelSize);
  }

  /**
   * Returns a builder for a rectangular kernel.
   *
   * @param kernelWidth odd; first here, as in torchvision
   * @param kernelHeight odd
   * @throws IllegalArgumentException if one of them is not odd and from 1 to 4095
   */
  public static Builder builder(int kernelWidth, int kernelHeight) {
    return new Builder(kernelWidth, kernelHeight);
  }

  /** Returns the number of columns of the kernel. */
  public int kernelWidth() {
    return kernelWidth;
  }

  /** Returns the number of rows of the kernel. */
  public int kernelHeight() {
    return kernelHeight;
  }

  /** Returns the smallest standard deviation, in pixels. */
  public double minSigma() {
    return sigma.min();
  }

  /** Returns the largest standard deviation, in pixels. */
  public double maxSigma() {
    return sigma.max();
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    return image.map(new Blur(kernelWidth, kernelHeight, sigma.draw(random)));
  }

  @Override
  public String toString() {
    return "GaussianBlur(kernelWidth=%d, kernelHeight=%d, sigma=%s)"
        .formatted(kernelWidth, kernelHeight, sigma);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder {
    private static final int LARGEST_KERNEL = 4095;

    private final int kernelWidth;
    private final int kernelHeight;
    private UniformRange sigma = new UniformRange(0.1, 2);

    private Builder(int kernelWidth, int kernelHeight) {
      this.kernelWidth = checkKernel("kernelWidth", kernelWidth);
      this.kernelHeight = checkKernel("kernelHeight", kernelHeight);
    }

    private static int checkKernel(String option, int size) {
      if (size < 1 || size > LARGEST_KERNEL || size % 2 == 0) {
        throw new IllegalArgumentException(
            "%s must be odd and from 1 to %d, was %d".formatted(option, LARGEST_KERNEL, size));
      }
      return size;
    }

    /** Sets one standard deviation, in pixels, for all images. */
    public Builder sigma(double sigma) {
      return sigma(sigma, sigma);
    }

    /** Sets the standard deviation, in pixels; 0.1 to 2 by default. */
    public Builder sigma(double min, double max) {
      this.sigma = new UniformRange(min, max);
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException unless the deviations are in order, above 0 and finite
     */
    public GaussianBlur build() {
      Sizes.checkRange("sigma", sigma.min(), sigma.max(), Float.MIN_VALUE, Float.MAX_VALUE);
      return new GaussianBlur(this);
    }
  }
}
