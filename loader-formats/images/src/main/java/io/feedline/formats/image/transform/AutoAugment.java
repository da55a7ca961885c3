package io.feedline.formats.image.transform;

import static io.feedline.formats.image.transform.Augmentation.AUTO_CONTRAST;
import static io.feedline.formats.image.transform.Augmentation.BRIGHTNESS;
import static io.feedline.formats.image.transform.Augmentation.COLOR;
import static io.feedline.formats.image.transform.Augmentation.CONTRAST;
import static io.feedline.formats.image.transform.Augmentation.EQUALIZE;
import static io.feedline.formats.image.transform.Augmentation.INVERT;
import static io.feedline.formats.image.transform.Augmentation.POSTERIZE;
import static io.feedline.formats.image.transform.Augmentation.ROTATE;
import static io.feedline.formats.image.transform.Augmentation.SHARPNESS;
import static io.feedline.formats.image.transform.Augmentation.SHEAR_X;
import static io.feedline.formats.image.transform.Augmentation.SHEAR_Y;
import static io.feedline.formats.image.transform.Augmentation.SOLARIZE;
import static io.feedline.formats.image.transform.Augmentation.TRANSLATE_X;
import static io.feedline.formats.image.transform.Augmentation.TRANSLATE_Y;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that applies one of 25 pairs of operations on colors and geometry, found by a
 * search on a data set: torchvision's AutoAugment ("AutoAugment: Learning Augmentation Strategies
 * from Data", Cubuk et al., 2018). The pixels are Pillow's bit for bit, given the operations.
 *
 * <p>Draws the pair; for each of its two operations, whether to apply it; then, for each, which of
 * its two directions. Torchvision's v2 draws the same numbers in another order. Immutable and
 * thread-safe.
 */
public final class AutoAugment extends Transforms.Value implements RandomTransform<Image, Image> {
  private static final int BINS = 10;

  private record Options(Policy policy, Interpolation interpolation, Fill fill) {
    Options {
      Objects.requireNonNull(policy, "policy");
      Warp.of(interpolation, fill);
    }
  }

  private final Policy policy;
  private final Warp warp;

  private AutoAugment(Options options) {
    super(options);
    this.policy = options.policy;
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /** Returns the transform with torchvision's defaults: ImageNet's policy, nearest, black fill. */
  public static AutoAugment of() {
    return of(Policy.IMAGENET);
  }

  /** Returns the transform with a policy, the nearest-pixel filter and a black fill. */
  public static AutoAugment of(Policy policy) {
    return new AutoAugment(new Options(policy, Interpolation.NEAREST, Fill.BLACK));
  }

  /** Returns the same transform with another filter: nearest (the default), bilinear or bicubic. */
  public AutoAugment withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public AutoAugment withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Policy.Pair pair = policy.pairs().get(Draw.below(random, policy.pairs().size()));
    float chanceOfFirst = Draw.unit(random);
    float chanceOfSecond = Draw.unit(random);
    boolean firstNegative = Draw.below(random, 2) == 0;
    boolean secondNegative = Draw.below(random, 2) == 0;
    Image once = apply(pair.first(), image, image, chanceOfFirst, firstNegative);
    return apply(pair.second(), once, image, chanceOfSecond, secondNegative);
  }

  private Image apply(
      Policy.Step step, Image image, Image original, float chance, boolean negative) {
    if (chance > (float) step.probability()) {
      return image;
    }
    Augmentation operation = step.operation();
    double magnitude = operation.magnitude(step.bin(), BINS, original.width(), original.height());
    return operation.apply(image, operation.isSigned() && negative ? -magnitude : magnitude, warp);
  }

  /** A set of pairs of operations for {@link AutoAugment}, as in torchvision. */
  public enum Policy {
    /** The pairs for ImageNet; the default. */
    IMAGENET(
        pair(POSTERIZE, 0.4, 8, ROTATE, 0.6, 9),
        pair(SOLARIZE, 0.6, 5, AUTO_CONTRAST, 0.6, 0),
        pair(EQUALIZE, 0.8, 0, EQUALIZE, 0.6, 0),
        pair(POSTERIZE, 0.6, 7, POSTERIZE, 0.6, 6),
        pair(EQUALIZE, 0.4, 0, SOLARIZE, 0.2, 4),
        pair(EQUALIZE, 0.4, 0, ROTATE, 0.8, 8),
        pair(SOLARIZE, 0.6, 3, EQUALIZE, 0.6, 0),
        pair(POSTERIZE, 0.8, 5, EQUALIZE, 1.0, 0),
        pair(ROTATE, 0.2, 3, SOLARIZE, 0.6, 8),
        pair(EQUALIZE, 0.6, 0, POSTERIZE, 0.4, 6),
        pair(ROTATE, 0.8, 8, COLOR, 0.4, 0),
        pair(ROTATE, 0.4, 9, EQUALIZE, 0.6, 0),
        pair(EQUALIZE, 0.0, 0, EQUALIZE, 0.8, 0),
        pair(INVERT, 0.6, 0, EQUALIZE, 1.0, 0),
        pair(COLOR, 0.6, 4, CONTRAST, 1.0, 8),
        pair(ROTATE, 0.8, 8, COLOR, 1.0, 2),
        pair(COLOR, 0.8, 8, SOLARIZE, 0.8, 7),
        pair(SHARPNESS, 0.4, 7, INVERT, 0.6, 0),
        pair(SHEAR_X, 0.6, 5, EQUALIZE, 1.0, 0),
        pair(COLOR, 0.4, 0, EQUALIZE, 0.6, 0),
        pair(EQUALIZE, 0.4, 0, SOLARIZE, 0.2, 4),
        pair(SOLARIZE, 0.6, 5, AUTO_CONTRAST, 0.6, 0),
        pair(INVERT, 0.6, 0, EQUALIZE, 1.0, 0),
        pair(COLOR, 0.6, 4, CONTRAST, 1.0, 8),
        pair(EQUALIZE, 0.8, 0, EQUALIZE, 0.6, 0)),
    /** The pairs for CIFAR-10. */
    CIFAR10(
        pair(INVERT, 0.1, 0, CONTRAST, 0.2, 6),
        pair(ROTATE, 0.7, 2, TRANSLATE_X, 0.3, 9),
        pair(SHARPNESS, 0.8, 1, SHARPNESS, 0.9, 3),
        pair(SHEAR_Y, 0.5, 8, TRANSLATE_Y, 0.7, 9),
        pair(AUTO_CONTRAST, 0.5, 0, EQUALIZE, 0.9, 0),
        pair(SHEAR_Y, 0.2, 7, POSTERIZE, 0.3, 7),
        pair(COLOR, 0.4, 3, BRIGHTNESS, 0.6, 7),
        pair(SHARPNESS, 0.3, 9, BRIGHTNESS, 0.7, 9),
        pair(EQUALIZE, 0.6, 0, EQUALIZE, 0.5, 0),
        pair(CONTRAST, 0.6, 7, SHARPNESS, 0.6, 5),
        pair(COLOR, 0.7, 7, TRANSLATE_X, 0.5, 8),
        pair(EQUALIZE, 0.3, 0, AUTO_CONTRAST, 0.4, 0),
        pair(TRANSLATE_Y, 0.4, 3, SHARPNESS, 0.2, 6),
        pair(BRIGHTNESS, 0.9, 6, COLOR, 0.2, 8),
        pair(SOLARIZE, 0.5, 2, INVERT, 0.0, 0),
        pair(EQUALIZE, 0.2, 0, AUTO_CONTRAST, 0.6, 0),
        pair(EQUALIZE, 0.2, 0, EQUALIZE, 0.6, 0),
        pair(COLOR, 0.9, 9, EQUALIZE, 0.6, 0),
        pair(AUTO_CONTRAST, 0.8, 0, SOLARIZE, 0.2, 8),
        pair(BRIGHTNESS, 0.1, 3, COLOR, 0.7, 0),
        pair(SOLARIZE, 0.4, 5, AUTO_CONTRAST, 0.9, 0),
        pair(TRANSLATE_Y, 0.9, 9, TRANSLATE_Y, 0.7, 9),
        pair(AUTO_CONTRAST, 0.9, 0, SOLARIZE, 0.8, 3),
        pair(EQUALIZE, 0.8, 0, INVERT, 0.1, 0),
        pair(TRANSLATE_Y, 0.7, 9, AUTO_CONTRAST, 0.9, 0)),
    /** The pairs for the data set Street View House Numbers. */
    SVHN(
        pair(SHEAR_X, 0.9, 4, INVERT, 0.2, 0),
        pair(SHEAR_Y, 0.9, 8, INVERT, 0.7, 0),
        pair(EQUALIZE, 0.6, 0, SOLARIZE, 0.6, 6),
        pair(INVERT, 0.9, 0, EQUALIZE, 0.6, 0),
        pair(EQUALIZE, 0.6, 0, ROTATE, 0.9, 3),
        pair(SHEAR_X, 0.9, 4, AUTO_CONTRAST, 0.8, 0),
        pair(SHEAR_Y, 0.9, 8, INVERT, 0.4, 0),
        pair(SHEAR_Y, 0.9, 5, SOLARIZE, 0.2, 6),
        pair(INVERT, 0.9, 0, AUTO_CONTRAST, 0.8, 0),
        pair(EQUALIZE, 0.6, 0, ROTATE, 0.9, 3),
        pair(SHEAR_X, 0.9, 4, SOLARIZE, 0.3, 3),
        pair(SHEAR_Y, 0.8, 8, INVERT, 0.7, 0),
        pair(EQUALIZE, 0.9, 0, TRANSLATE_Y, 0.6, 6),
        pair(INVERT, 0.9, 0, EQUALIZE, 0.6, 0),
        pair(CONTRAST, 0.3, 3, ROTATE, 0.8, 4),
        pair(INVERT, 0.8, 0, TRANSLATE_Y, 0.0, 2),
        pair(SHEAR_Y, 0.7, 6, SOLARIZE, 0.4, 8),
        pair(INVERT, 0.6, 0, ROTATE, 0.8, 4),
        pair(SHEAR_Y, 0.3, 7, TRANSLATE_X, 0.9, 3),
        pair(SHEAR_X, 0.1, 6, INVERT, 0.6, 0),
        pair(SOLARIZE, 0.7, 2, TRANSLATE_Y, 0.6, 7),
        pair(SHEAR_Y, 0.8, 4, INVERT, 0.8, 0),
        pair(SHEAR_X, 0.7, 9, TRANSLATE_Y, 0.8, 3),
        pair(SHEAR_Y, 0.8, 5, AUTO_CONTRAST, 0.7, 0),
        pair(SHEAR_X, 0.7, 2, INVERT, 0.1, 0));

    /** An operation with its strength, 0 to 9; 0 for an operation without magnitudes. */
    record Step(Augmentation operation, double probability, int bin) {}

    record Pair(Step first, Step second) {}

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Pair> pairs;

    Policy(Pair... pairs) {
      this.pairs = List.of(pairs);
    }

    private static Pair pair(
        Augmentation first,
        double firstProbability,
        int firstBin,
        Augmentation second,
        double secondProbability,
        int secondBin) {
      return new Pair(
          new Step(first, firstProbability, firstBin),
          new Step(second, secondProbability, secondBin));
    }

    List<Pair> pairs() {
      return pairs;
    }
  }
}
