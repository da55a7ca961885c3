package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import java.util.random.RandomGenerator;

/**
 * A random transform that changes brightness, contrast, saturation and hue, and exchanges channels,
 * each with some probability: RandomPhotometricDistort of torchvision's v2, the usual augmentation
 * of SSD training ("SSD: Single Shot MultiBox Detector", Liu et al., 2015). The pixels are those of
 * torchvision on PIL images bit for bit, given the factors; on tensors torchvision rounds in other
 * places.
 *
 * <p>Draws, for each of brightness, contrast, saturation and hue, whether it is changed, and if so
 * a factor, evenly from its range; whether contrast comes before saturation; whether channels are
 * exchanged, and if so their order. Immutable and thread-safe.
 */
public final class RandomPhotometricDistort extends ColorTransform {
  private final double probability;

  private RandomPhotometricDistort(Builder builder) {
    super(builder.ranges);
    this.probability = builder.probability;
  }

  /**
   * Returns the transform with torchvision's defaults: brightness 0.875 to 1.125, contrast and
   * saturation 0.5 to 1.5, hue -0.05 to 0.05, each with a probability of 0.5.
   */
  public static RandomPhotometricDistort of() {
    return builder().build();
  }

  /** Returns a builder with the defaults of {@link #of}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how likely each of the five changes is, 0 to 1. */
  public double probability() {
    return probability;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Double brighter = draw(ranges.brightness(), random);
    Double contrasting = draw(ranges.contrast(), random);
    Double saturated = draw(ranges.saturation(), random);
    Double turned = draw(ranges.hue(), random);
    boolean contrastFirst = Draw.happens(random, 0.5);
    boolean permuted = Draw.happens(random, probability);
    PixelOperation adjustContrast =
        contrasting == null ? null : ColorOperations.contrast(contrasting);
    Image result = brighter == null ? image : image.map(ColorOperations.brightness(brighter));
    if (adjustContrast != null && contrastFirst) {
      result = result.map(adjustContrast);
    }
    if (saturated != null) {
      result = result.map(ColorOperations.saturation(saturated));
    }
    if (turned != null) {
      result = result.map(ColorOperations.hue(turned));
    }
    if (adjustContrast != null && !contrastFirst) {
      result = result.map(adjustContrast);
    }
    return permuted ? result.map(ColorOperations.permute(Draw.permutation(random, 3))) : result;
  }

  /** Returns a factor, or null for no change. */
  private Double draw(UniformRange range, RandomGenerator random) {
    return Draw.happens(random, probability) ? (Double) range.draw(random) : null;
  }

  @Override
  public String toString() {
    return "RandomPhotometricDistort(%s, probability=%s)".formatted(ranges, probability);
  }

  /**
   * The options of the transform: brightness from 0.875 to 1.125, contrast and saturation from 0.5
   * to 1.5 and hue from -0.05 to 0.05 by default. Not thread-safe.
   */
  public static final class Builder extends ColorTransform.Options<Builder> {
    private double probability = 0.5;

    private Builder() {
      super(
          new ColorRanges(
              new UniformRange(0.875, 1.125),
              new UniformRange(0.5, 1.5),
              new UniformRange(0.5, 1.5),
              new UniformRange(-0.05, 0.05)));
    }

    /**
     * Sets how likely each change is; 0.5 by default.
     *
     * @throws IllegalArgumentException unless it is within 0 to 1
     */
    public Builder probability(double probability) {
      this.probability = Sizes.checkProbability(probability);
      return this;
    }

    /** Builds the transform. */
    public RandomPhotometricDistort build() {
      return new RandomPhotometricDistort(this);
    }
  }
}
