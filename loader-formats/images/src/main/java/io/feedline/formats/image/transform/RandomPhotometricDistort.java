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
 * A random transform that changes brightness, contrast, saturation and hue, and exchanges channels,
 * each with some probability: RandomPhotometricDistort of torchvision's v2, the usual augmentation
 * of SSD training ("SSD: Single Shot MultiBox Detector", Liu et al., 2015). The pixels equal
 * torchvision's for PIL images bit for bit, given the factors; for tensors torchvision rounds
 * differently.
 *
 * <p>Draws, for each of brightness, contrast, saturation and hue, whether to change it, and if so a
 * factor, uniformly from its range; then whether to change contrast before saturation; then whether
 * to exchange channels, and if so their order. Immutable and thread-safe.
 */
public final class RandomPhotometricDistort extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(
      Range brightness, Range contrast, Range saturation, Range hue, double probability) {
    Options {
      brightness.within("brightness", 0, Float.MAX_VALUE);
      contrast.within("contrast", 0, Float.MAX_VALUE);
      saturation.within("saturation", 0, Float.MAX_VALUE);
      hue.within("hue", -0.5, 0.5);
      Sizes.checkProbability(probability);
    }
  }

  private final Options options;

  private RandomPhotometricDistort(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform with torchvision's defaults: brightness 0.875 to 1.125, contrast and
   * saturation 0.5 to 1.5, hue -0.05 to 0.05, each with a probability of 0.5.
   */
  public static RandomPhotometricDistort of() {
    return new RandomPhotometricDistort(
        new Options(
            new Range(0.875, 1.125),
            new Range(0.5, 1.5),
            new Range(0.5, 1.5),
            new Range(-0.05, 0.05),
            0.5));
  }

  /**
   * Returns the same transform with another range of brightness factors, {@code 0 <= min <= max}: 0
   * makes the image black, 1 changes nothing.
   */
  public RandomPhotometricDistort withBrightness(double min, double max) {
    return with("brightness", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of contrast factors, {@code 0 <= min <= max}: 0
   * makes the image evenly gray, 1 changes nothing.
   */
  public RandomPhotometricDistort withContrast(double min, double max) {
    return with("contrast", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of saturation factors, {@code 0 <= min <= max}: 0
   * makes colors gray, 1 changes nothing.
   */
  public RandomPhotometricDistort withSaturation(double min, double max) {
    return with("saturation", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of the hue's turn, in circles, {@code -0.5 <= min
   * <= max <= 0.5}.
   */
  public RandomPhotometricDistort withHue(double min, double max) {
    return with("hue", new Range(min, max));
  }

  /**
   * Returns the same transform with another probability, 0 to 1, of each of the five changes; 0.5
   * by default.
   */
  public RandomPhotometricDistort withProbability(double probability) {
    return with("probability", probability);
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Double brighter = draw(options.brightness, random);
    Double contrasting = draw(options.contrast, random);
    Double saturated = draw(options.saturation, random);
    Double turned = draw(options.hue, random);
    boolean contrastFirst = Draw.happens(random, 0.5);
    boolean permuted = Draw.happens(random, options.probability);
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

  /** Returns a random factor; null for no change. */
  private Double draw(Range range, RandomGenerator random) {
    return Draw.happens(random, options.probability) ? (Double) range.draw(random) : null;
  }
}
