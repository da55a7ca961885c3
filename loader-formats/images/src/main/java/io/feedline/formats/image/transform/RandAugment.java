package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies a number of operations on colors and geometry, out of fourteen,
 * all with the same magnitude: torchvision's RandAugment ("RandAugment: Practical automated data
 * augmentation with a reduced search space", Cubuk et al., 2019). The pixels are Pillow's bit for
 * bit, given the operations.
 *
 * <p>Draws, for each application, an operation and, if the operation has two directions, the
 * direction. An operation may be drawn twice. Immutable and thread-safe.
 */
public final class RandAugment extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(
      int numOps, int magnitude, int numMagnitudeBins, Interpolation interpolation, Fill fill) {
    Options {
      if (numOps < 0) {
        throw new IllegalArgumentException("numOps must be 0 or more, was " + numOps);
      }
      Augmentation.checkBins(numMagnitudeBins);
      if (magnitude < 0 || magnitude >= numMagnitudeBins) {
        throw new IllegalArgumentException(
            "magnitude must be 0 to %d, was %d".formatted(numMagnitudeBins - 1, magnitude));
      }
      Warp.of(interpolation, fill);
    }
  }

  private final Options options;
  private final Warp warp;

  private RandAugment(Options options) {
    super(options);
    this.options = options;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /**
   * Returns the transform with torchvision's defaults: two operations, magnitude 9 of 31, the
   * nearest-pixel filter and a black fill.
   */
  public static RandAugment of() {
    return of(2, 9);
  }

  /**
   * Returns the transform with {@code numOps} operations, 0 or more, a magnitude of 0 to 30, and
   * torchvision's other defaults.
   */
  public static RandAugment of(int numOps, int magnitude) {
    return new RandAugment(new Options(numOps, magnitude, 31, Interpolation.NEAREST, Fill.BLACK));
  }

  /** Returns the same transform with another number of operations, 0 or more; 2 by default. */
  public RandAugment withNumOps(int numOps) {
    return with("numOps", numOps);
  }

  /**
   * Returns the same transform with another strength of the operations, 0 to {@code
   * numMagnitudeBins - 1}; 9 by default.
   */
  public RandAugment withMagnitude(int magnitude) {
    return with("magnitude", magnitude);
  }

  /**
   * Returns the same transform with another number of magnitudes, 2 or more and above the
   * magnitude; 31 by default.
   */
  public RandAugment withNumMagnitudeBins(int numMagnitudeBins) {
    return with("numMagnitudeBins", numMagnitudeBins);
  }

  /** Returns the same transform with another filter: nearest (the default), bilinear or bicubic. */
  public RandAugment withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public RandAugment withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Image augmented = image;
    for (int i = 0; i < options.numOps; i++) {
      Augmentation operation = Augmentation.draw(random);
      double strength =
          operation.magnitude(
              options.magnitude, options.numMagnitudeBins, image.width(), image.height());
      augmented = operation.apply(augmented, operation.directed(strength, random), warp);
    }
    return augmented;
  }
}
