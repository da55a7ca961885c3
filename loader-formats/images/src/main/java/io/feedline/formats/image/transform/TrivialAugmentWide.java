package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies one of fourteen operations on colors and geometry, with a random
 * magnitude: torchvision's TrivialAugmentWide ("TrivialAugment: Tuning-free Yet State-of-the-Art
 * Data Augmentation", Müller and Hutter, 2021). The pixels are Pillow's bit for bit, given the
 * operation and its magnitude.
 *
 * <p>Draws the operation; for those that have one, a magnitude; for those that have two directions,
 * which one. Immutable and thread-safe.
 */
public final class TrivialAugmentWide extends WarpingTransform {
  private final int numMagnitudeBins;

  private TrivialAugmentWide(Builder builder) {
    super(builder.warp());
    this.numMagnitudeBins = builder.numMagnitudeBins;
  }

  /** Returns the transform with torchvision's defaults: 31 magnitudes, the nearest pixel, black. */
  public static TrivialAugmentWide of() {
    return builder().build();
  }

  /** Returns a builder with the defaults of {@link #of}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how many magnitudes there are. */
  public int numMagnitudeBins() {
    return numMagnitudeBins;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Augmentation operation = Augmentation.draw(random);
    double strength = 0;
    if (operation.isGraded()) {
      strength = strength(operation, Draw.below(random, numMagnitudeBins));
    }
    return operation.apply(image, operation.directed(strength, random), warp);
  }

  /** Returns a magnitude in the operation's unit. */
  double strength(Augmentation operation, int bin) {
    return switch (operation) {
      case IDENTITY, AUTO_CONTRAST, EQUALIZE, INVERT -> 0;
      case SHEAR_X, SHEAR_Y, BRIGHTNESS, COLOR, CONTRAST, SHARPNESS -> upTo(0.99, bin);
      case TRANSLATE_X, TRANSLATE_Y -> upTo(32.0, bin);
      case ROTATE -> upTo(135.0, bin);
      case POSTERIZE -> Augmentation.bits(Augmentation.BITS, 6, bin, numMagnitudeBins);
      case SOLARIZE -> Augmentation.linear(255, 0, bin, numMagnitudeBins);
    };
  }

  private double upTo(double most, int bin) {
    return Augmentation.linear(0, most, bin, numMagnitudeBins);
  }

  @Override
  public String toString() {
    return "TrivialAugmentWide(numMagnitudeBins=%d, interpolation=%s, fill=%s)"
        .formatted(numMagnitudeBins, warp.filter(), Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions<Builder> {
    private int numMagnitudeBins = 31;

    private Builder() {}

    /** Sets how many magnitudes there are; 31 by default. */
    public Builder numMagnitudeBins(int numMagnitudeBins) {
      this.numMagnitudeBins = numMagnitudeBins;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if there are fewer than 2 magnitudes, or the filter is not
     *     nearest, bilinear or bicubic
     */
    public TrivialAugmentWide build() {
      if (numMagnitudeBins < 2) {
        throw new IllegalArgumentException(
            "numMagnitudeBins must be 2 or more, was " + numMagnitudeBins);
      }
      return new TrivialAugmentWide(this);
    }
  }
}
