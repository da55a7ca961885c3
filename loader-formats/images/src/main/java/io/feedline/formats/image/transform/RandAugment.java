package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies some of fourteen operations on colors and geometry, all equally
 * strong: torchvision's RandAugment ("RandAugment: Practical automated data augmentation with a
 * reduced search space", Cubuk et al., 2019). The pixels are Pillow's bit for bit, given the
 * operations.
 *
 * <p>Draws, for each application, one of the operations, and for those that have two directions
 * which one. An operation may come twice. Immutable and thread-safe.
 */
public final class RandAugment extends WarpingTransform {
  private final int numOps;
  private final int magnitude;
  private final int numMagnitudeBins;

  private RandAugment(Builder builder) {
    super(builder.warp());
    this.numOps = builder.numOps;
    this.magnitude = builder.magnitude;
    this.numMagnitudeBins = builder.numMagnitudeBins;
  }

  /**
   * Returns the transform with torchvision's defaults: two operations, magnitude 9 of 31, the
   * nearest pixel, black.
   */
  public static RandAugment of() {
    return builder().build();
  }

  /**
   * Returns the transform with torchvision's defaults for all but these.
   *
   * @param numOps number of operations, 0 or more
   * @param magnitude 0 to 30
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public static RandAugment of(int numOps, int magnitude) {
    return builder().numOps(numOps).magnitude(magnitude).build();
  }

  /** Returns a builder with the defaults of {@link #of()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how many operations are applied. */
  public int numOps() {
    return numOps;
  }

  /** Returns how strong they are, from 0 to {@code numMagnitudeBins - 1}. */
  public int magnitude() {
    return magnitude;
  }

  /** Returns how many magnitudes there are. */
  public int numMagnitudeBins() {
    return numMagnitudeBins;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Image augmented = image;
    for (int i = 0; i < numOps; i++) {
      Augmentation operation = Augmentation.draw(random);
      double strength =
          operation.magnitude(magnitude, numMagnitudeBins, image.width(), image.height());
      augmented = operation.apply(augmented, operation.directed(strength, random), warp);
    }
    return augmented;
  }

  @Override
  public String toString() {
    return "RandAugment(numOps=%d, magnitude=%d, numMagnitudeBins=%d, interpolation=%s, fill=%s)"
        .formatted(numOps, magnitude, numMagnitudeBins, warp.filter(), Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions<Builder> {
    private int numOps = 2;
    private int magnitude = 9;
    private int numMagnitudeBins = 31;

    private Builder() {}

    /** Sets how many operations are applied; 2 by default. */
    public Builder numOps(int numOps) {
      this.numOps = numOps;
      return this;
    }

    /** Sets how strong they are, from 0 to {@code numMagnitudeBins - 1}; 9 by default. */
    public Builder magnitude(int magnitude) {
      this.magnitude = magnitude;
      return this;
    }

    /** Sets how many magnitudes there are; 31 by default. */
    public Builder numMagnitudeBins(int numMagnitudeBins) {
      this.numMagnitudeBins = numMagnitudeBins;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the number of operations is negative, the number of
     *     magnitudes is below 2, the magnitude is out of range, or the filter is not nearest,
     *     bilinear or bicubic
     */
    public RandAugment build() {
      if (numOps < 0) {
        throw new IllegalArgumentException("numOps must be 0 or more, was " + numOps);
      }
      if (numMagnitudeBins < 2) {
        throw new IllegalArgumentException(
            "numMagnitudeBins must be 2 or more, was " + numMagnitudeBins);
      }
      if (magnitude < 0 || magnitude >= numMagnitudeBins) {
        throw new IllegalArgumentException(
            "magnitude must be 0 to %d, was %d".formatted(numMagnitudeBins - 1, magnitude));
      }
      return new RandAugment(this);
    }
  }
}
