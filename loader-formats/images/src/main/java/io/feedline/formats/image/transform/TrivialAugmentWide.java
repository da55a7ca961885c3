package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies one of fourteen operations on colors and geometry, with a random
 * magnitude: torchvision's TrivialAugmentWide ("TrivialAugment: Tuning-free Yet State-of-the-Art
 * Data Augmentation", Müller and Hutter, 2021). The pixels are Pillow's bit for bit, given the
 * operation and its magnitude.
 *
 * <p>Draws the operation, its magnitude if it has one, and its direction if it has two. Immutable
 * and thread-safe.
 */
public final class TrivialAugmentWide extends Transforms.Value
    implements RandomTransform<Image, Image> {

  private record Options(int numMagnitudeBins, Interpolation interpolation, Fill fill) {
    Options {
      Augmentation.checkBins(numMagnitudeBins);
      Warp.of(interpolation, fill);
    }
  }

  private final int numMagnitudeBins;
  private final Warp warp;

  private TrivialAugmentWide(Options options) {
    super(options);
    this.numMagnitudeBins = options.numMagnitudeBins;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /** Returns the transform with torchvision's defaults: 31 magnitudes, nearest, black fill. */
  public static TrivialAugmentWide of() {
    return new TrivialAugmentWide(new Options(31, Interpolation.NEAREST, Fill.BLACK));
  }

  /** Returns the same transform with another number of magnitudes, 2 or more; 31 by default. */
  public TrivialAugmentWide withNumMagnitudeBins(int numMagnitudeBins) {
    return with("numMagnitudeBins", numMagnitudeBins);
  }

  /** Returns the same transform with another filter: nearest (the default), bilinear or bicubic. */
  public TrivialAugmentWide withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public TrivialAugmentWide withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
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
}
