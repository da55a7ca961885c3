package io.feedline.formats.image.transform;

import static io.feedline.formats.image.transform.Augmentation.AUTO_CONTRAST;
import static io.feedline.formats.image.transform.Augmentation.BRIGHTNESS;
import static io.feedline.formats.image.transform.Augmentation.COLOR;
import static io.feedline.formats.image.transform.Augmentation.CONTRAST;
import static io.feedline.formats.image.transform.Augmentation.EQUALIZE;
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
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A random transform that mixes an image with variants of the image, each made by a chain of
 * operations on colors and geometry: torchvision's AugMix ("AugMix: A Simple Data Processing Method
 * to Improve Robustness and Uncertainty", Hendrycks et al., 2019).
 *
 * <p>Draws the share of the original; the shares of the variants; for each variant the number of
 * operations; and for each operation its kind, its magnitude if it has one, and its direction if it
 * has two.
 *
 * <p>The operations are Pillow's bit for bit, as in the paper's program. Variants are mixed as in
 * torchvision, in float32, with fractions cut off. Results differ from torchvision's, which
 * converts PIL images to tensors; their operations interpolate and round differently. Targets of
 * the image do not move, although variants may move the picture. Immutable and thread-safe.
 */
public final class AugMix extends Transforms.Value implements RandomTransform<Image, Image> {
  private static final int BINS = 10;
  private static final int DEEPEST = 3;

  private static final List<Augmentation> ALL =
      List.of(
          SHEAR_X,
          SHEAR_Y,
          TRANSLATE_X,
          TRANSLATE_Y,
          ROTATE,
          POSTERIZE,
          SOLARIZE,
          AUTO_CONTRAST,
          EQUALIZE,
          BRIGHTNESS,
          COLOR,
          CONTRAST,
          SHARPNESS);

  /** The operations that remain with {@code withAllOps(false)}. */
  private static final List<Augmentation> SOME = ALL.subList(0, ALL.indexOf(BRIGHTNESS));

  private record Options(
      int severity,
      int mixtureWidth,
      int chainDepth,
      double alpha,
      boolean allOps,
      Interpolation interpolation,
      Fill fill) {
    Options {
      if (severity < 1 || severity > BINS) {
        throw new IllegalArgumentException(
            "severity must be 1 to %d, was %d".formatted(BINS, severity));
      }
      if (mixtureWidth < 1) {
        throw new IllegalArgumentException("mixtureWidth must be 1 or more, was " + mixtureWidth);
      }
      new Dirichlet(alpha);
      Warp.of(interpolation, fill);
    }
  }

  private final Options options;
  private final Dirichlet shares;
  private final Warp warp;

  private AugMix(Options options) {
    super(options);
    this.options = options;
    this.shares = new Dirichlet(options.alpha);
    this.warp = Warp.of(options.interpolation, options.fill);
  }

  /**
   * Returns the transform with torchvision's defaults: severity 3, three variants of one to three
   * operations, alpha 1, all operations, a bilinear filter and a black fill.
   */
  public static AugMix of() {
    return new AugMix(new Options(3, 3, -1, 1, true, Interpolation.BILINEAR, Fill.BLACK));
  }

  /** Returns the same transform with another limit of the strength, 1 to 10; 3 by default. */
  public AugMix withSeverity(int severity) {
    return with("severity", severity);
  }

  /** Returns the same transform with another number of variants, 1 or more; 3 by default. */
  public AugMix withMixtureWidth(int mixtureWidth) {
    return with("mixtureWidth", mixtureWidth);
  }

  /**
   * Returns the same transform with another number of operations for each variant. With -1, the
   * default, the number is drawn from 1 to 3.
   */
  public AugMix withChainDepth(int chainDepth) {
    return with("chainDepth", chainDepth);
  }

  /**
   * Returns the same transform with another parameter of the shares' distribution, above 0 and
   * finite. With 1, the default, all shares are equally likely.
   */
  public AugMix withAlpha(double alpha) {
    return with("alpha", alpha);
  }

  /**
   * Returns the same transform with the choice whether brightness, color, contrast and sharpness
   * are among the operations; true by default.
   */
  public AugMix withAllOps(boolean allOps) {
    return with("allOps", allOps);
  }

  /** Returns the same transform with another filter: nearest, bilinear (the default) or bicubic. */
  public AugMix withInterpolation(Interpolation filter) {
    return with("interpolation", filter);
  }

  /** Returns the same transform with this color outside the image, 0 to 255; black by default. */
  public AugMix withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Dirichlet.Normals normals = new Dirichlet.Normals(random);
    float[] ofOriginal = shares.draw(2, normals);
    float[] ofVariants = shares.draw(options.mixtureWidth, normals);
    List<MixedVariants.Variant> variants = new ArrayList<>();
    for (float share : ofVariants) {
      variants.add(
          new MixedVariants.Variant(
              share * ofOriginal[1], chain(image.width(), image.height(), random)));
    }
    return image.map(new MixedVariants(ofOriginal[0], List.copyOf(variants), warp));
  }

  private List<MixedVariants.Step> chain(int width, int height, RandomGenerator random) {
    int depth = options.chainDepth > 0 ? options.chainDepth : 1 + Draw.below(random, DEEPEST);
    List<MixedVariants.Step> steps = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      Augmentation operation = Augmentation.draw(random, options.allOps ? ALL : SOME);
      int bin = operation.isGraded() ? Draw.below(random, options.severity) : 0;
      double magnitude = magnitude(operation, bin, width, height);
      steps.add(new MixedVariants.Step(operation, operation.directed(magnitude, random)));
    }
    return List.copyOf(steps);
  }

  /** Returns the magnitude at position {@code bin}, from 0, in the operation's unit. */
  static double magnitude(Augmentation operation, int bin, int width, int height) {
    return switch (operation) {
      case TRANSLATE_X -> Augmentation.linear(0, width / 3.0, bin, BINS);
      case TRANSLATE_Y -> Augmentation.linear(0, height / 3.0, bin, BINS);
      case POSTERIZE -> Augmentation.bits(4, 4, bin, BINS);
      default -> operation.magnitude(bin, BINS, width, height);
    };
  }
}
