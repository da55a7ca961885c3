package io.feedline.formats.image.transform;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.ColorOperations;
import io.feedline.formats.image.transform.internal.Sharpness;
import io.feedline.formats.internal.Draw;
import io.feedline.formats.internal.Trigonometry;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * An operation of {@link AutoAugment}, {@link RandAugment}, {@link TrivialAugmentWide} and {@link
 * AugMix}. Each operation has its own unit of magnitudes.
 */
enum Augmentation {
  IDENTITY(false, false),
  SHEAR_X(true, true),
  SHEAR_Y(true, true),
  TRANSLATE_X(true, true),
  TRANSLATE_Y(true, true),
  ROTATE(true, true),
  BRIGHTNESS(true, true),
  COLOR(true, true),
  CONTRAST(true, true),
  SHARPNESS(true, true),
  POSTERIZE(true, false),
  SOLARIZE(true, false),
  AUTO_CONTRAST(false, false),
  EQUALIZE(false, false),
  INVERT(false, false);

  /** All operations but {@link #INVERT}, in torchvision's order. */
  private static final List<Augmentation> USUAL =
      Stream.of(values()).filter(operation -> operation != INVERT).toList();

  static final int BITS = 8;

  private static final double DEGREE = 180 / Math.PI;

  private final boolean graded;
  private final boolean signed;

  Augmentation(boolean graded, boolean signed) {
    this.graded = graded;
    this.signed = signed;
  }

  static void checkBins(int bins) {
    if (bins < 2) {
      throw new IllegalArgumentException("numMagnitudeBins must be 2 or more, was " + bins);
    }
  }

  static Augmentation draw(RandomGenerator random) {
    return draw(random, USUAL);
  }

  static Augmentation draw(RandomGenerator random, List<Augmentation> operations) {
    return operations.get(Draw.below(random, operations.size()));
  }

  /** Returns the magnitude, or at random its negative if the operation has two directions. */
  double directed(double magnitude, RandomGenerator random) {
    return signed && Draw.below(random, 2) == 1 ? -magnitude : magnitude;
  }

  /** Returns the magnitude at position {@code bin}, from 0, as in RandAugment and AutoAugment. */
  double magnitude(int bin, int bins, int width, int height) {
    return switch (this) {
      case IDENTITY, AUTO_CONTRAST, EQUALIZE, INVERT -> 0;
      case SHEAR_X, SHEAR_Y -> linear(0, 0.3, bin, bins);
      case TRANSLATE_X -> linear(0, 150.0 / 331.0 * width, bin, bins);
      case TRANSLATE_Y -> linear(0, 150.0 / 331.0 * height, bin, bins);
      case ROTATE -> linear(0, 30.0, bin, bins);
      case BRIGHTNESS, COLOR, CONTRAST, SHARPNESS -> linear(0, 0.9, bin, bins);
      case POSTERIZE -> bits(BITS, 4, bin, bins);
      case SOLARIZE -> linear(255, 0, bin, bins);
    };
  }

  boolean isGraded() {
    return graded;
  }

  boolean isSigned() {
    return signed;
  }

  Image apply(Image image, double magnitude, Warp warp) {
    return switch (this) {
      case IDENTITY -> image;
      case SHEAR_X ->
          warp.affine(image, AffineMatrix.inverse(0, 0, 0, 0, 0, 1, shearAngle(magnitude), 0));
      case SHEAR_Y ->
          warp.affine(image, AffineMatrix.inverse(0, 0, 0, 0, 0, 1, 0, shearAngle(magnitude)));
      case TRANSLATE_X -> translate(image, (int) magnitude, 0, warp);
      case TRANSLATE_Y -> translate(image, 0, (int) magnitude, warp);
      case ROTATE -> warp.rotate(image, magnitude, false);
      case BRIGHTNESS -> image.map(ColorOperations.brightness(1 + magnitude));
      case COLOR -> image.map(ColorOperations.saturation(1 + magnitude));
      case CONTRAST -> image.map(ColorOperations.contrast(1 + magnitude));
      case SHARPNESS -> image.map(new Sharpness((float) (1 + magnitude)));
      case POSTERIZE -> image.map(ColorOperations.posterize((int) magnitude));
      case SOLARIZE -> image.map(ColorOperations.solarize(magnitude));
      case AUTO_CONTRAST -> image.map(ColorOperations.autocontrast());
      case EQUALIZE -> image.map(ColorOperations.equalize());
      case INVERT -> image.map(ColorOperations.invert());
    };
  }

  private static Image translate(Image image, int x, int y, Warp warp) {
    double centerX = image.width() * 0.5;
    double centerY = image.height() * 0.5;
    return warp.affine(image, AffineMatrix.inverse(centerX, centerY, 0, x, y, 1, 0, 0));
  }

  /** Returns the angle whose tangent is the magnitude, as torchvision shears. */
  private static double shearAngle(double magnitude) {
    return Trigonometry.atan(magnitude) * DEGREE;
  }

  /**
   * Returns {@code torch.linspace(start, end, bins)[bin]}: in float32, computed from the nearer
   * end, and rounded once as in PyTorch on processors with AVX2.
   */
  static double linear(double start, double end, int bin, int bins) {
    float first = (float) start;
    float last = (float) end;
    float step = (last - first) / (bins - 1);
    return bin < bins / 2 ? Math.fma(step, bin, first) : Math.fma(-step, bins - bin - 1, last);
  }

  /** Returns how many of {@code bits} bits remain; the last {@code bin} removes {@code most}. */
  static double bits(int bits, int most, int bin, int bins) {
    float perBit = (float) ((bins - 1) / (double) most);
    return bits - Math.rint(bin / perBit);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
