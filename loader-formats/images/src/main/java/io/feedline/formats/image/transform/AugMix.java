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
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A random transform that mixes an image with some variants of it, each made by a chain of
 * operations on colors and geometry: torchvision's AugMix ("AugMix: A Simple Data Processing Method
 * to Improve Robustness and Uncertainty", Hendrycks et al., 2019).
 *
 * <p>Draws the share of the original; those of the variants; for each variant how many operations,
 * and for each of these which, and, where it has one, its magnitude and direction.
 *
 * <p>The operations are Pillow's bit for bit, as in the paper's program, and they are mixed as
 * torchvision mixes, in float32, cut off. torchvision itself carries out its operations on tensors
 * here, even for a PIL image, and these interpolate and round in other ways. Targets of the image
 * do not move, although the variants move the picture. Immutable and thread-safe.
 */
public final class AugMix extends WarpingTransform {
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

  /** Without those that the paper's test images were made with. */
  private static final List<Augmentation> SOME = ALL.subList(0, ALL.indexOf(BRIGHTNESS));

  private final int severity;
  private final int mixtureWidth;
  private final int chainDepth;
  private final Dirichlet shares;
  private final boolean allOps;

  private AugMix(Builder builder) {
    super(builder.warp());
    this.severity = builder.severity;
    this.mixtureWidth = builder.mixtureWidth;
    this.chainDepth = builder.chainDepth;
    this.shares = new Dirichlet(builder.alpha);
    this.allOps = builder.allOps;
  }

  /**
   * Returns the transform with torchvision's defaults: severity 3, three variants of one to three
   * operations, alpha 1, all operations, bilinear, black.
   */
  public static AugMix of() {
    return builder().build();
  }

  /** Returns a builder with the defaults of {@link #of}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns how strong operations are at most, 1 to 10. */
  public int severity() {
    return severity;
  }

  /** Returns how many variants there are. */
  public int mixtureWidth() {
    return mixtureWidth;
  }

  /** Returns how many operations make a variant; 0 or less where that is drawn, 1 to 3. */
  public int chainDepth() {
    return chainDepth;
  }

  /** Returns the parameter of the distribution of the shares. */
  public double alpha() {
    return shares.alpha();
  }

  /** Returns whether brightness, color, contrast and sharpness are among the operations. */
  public boolean allOps() {
    return allOps;
  }

  @Override
  public Image apply(Image image, RandomGenerator random) {
    Dirichlet.Normals normals = new Dirichlet.Normals(random);
    float[] ofOriginal = shares.draw(2, normals);
    float[] ofVariants = shares.draw(mixtureWidth, normals);
    List<MixedVariants.Variant> variants = new ArrayList<>();
    for (float share : ofVariants) {
      variants.add(
          new MixedVariants.Variant(
              share * ofOriginal[1], chain(image.width(), image.height(), random)));
    }
    return image.map(new MixedVariants(ofOriginal[0], List.copyOf(variants), warp));
  }

  private List<MixedVariants.Step> chain(int width, int height, RandomGenerator random) {
    int depth = chainDepth > 0 ? chainDepth : 1 + Draw.below(random, DEEPEST);
    List<MixedVariants.Step> steps = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      Augmentation operation = Augmentation.draw(random, allOps ? ALL : SOME);
      int bin = operation.isGraded() ? Draw.below(random, severity) : 0;
      double magnitude = magnitude(operation, bin, width, height);
      steps.add(new MixedVariants.Step(operation, operation.directed(magnitude, random)));
    }
    return List.copyOf(steps);
  }

  /** Returns a magnitude in the operation's unit. */
  static double magnitude(Augmentation operation, int bin, int width, int height) {
    return switch (operation) {
      case TRANSLATE_X -> Augmentation.linear(0, width / 3.0, bin, BINS);
      case TRANSLATE_Y -> Augmentation.linear(0, height / 3.0, bin, BINS);
      case POSTERIZE -> Augmentation.bits(4, 4, bin, BINS);
      default -> operation.magnitude(bin, BINS, width, height);
    };
  }

  @Override
  public String toString() {
    return ("AugMix(severity=%d, mixtureWidth=%d, chainDepth=%d, alpha=%s, allOps=%s,"
            + " interpolation=%s, fill=%s)")
        .formatted(
            severity,
            mixtureWidth,
            chainDepth,
            alpha(),
            allOps,
            warp.filter(),
            Fill.words(warp.fill()));
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends WarpOptions<Builder> {
    private int severity = 3;
    private int mixtureWidth = 3;
    private int chainDepth = -1;
    private double alpha = 1;
    private boolean allOps = true;

    private Builder() {
      super(Interpolation.BILINEAR);
    }

    /** Sets how strong operations are at most, 1 to 10; 3 by default. */
    public Builder severity(int severity) {
      this.severity = severity;
      return this;
    }

    /** Sets how many variants there are, 1 or more; 3 by default. */
    public Builder mixtureWidth(int mixtureWidth) {
      this.mixtureWidth = mixtureWidth;
      return this;
    }

    /** Sets how many operations make a variant; -1, the default, to draw that, 1 to 3. */
    public Builder chainDepth(int chainDepth) {
      this.chainDepth = chainDepth;
      return this;
    }

    /** Sets the parameter of the distribution of the shares, above 0; 1, all alike, by default. */
    public Builder alpha(double alpha) {
      this.alpha = alpha;
      return this;
    }

    /**
     * Sets whether brightness, color, contrast and sharpness are among the operations; true by
     * default.
     */
    public Builder allOps(boolean allOps) {
      this.allOps = allOps;
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the severity is not within 1 to 10, there is no variant,
     *     alpha is not above 0 and finite, or the filter not nearest, bilinear or bicubic
     */
    public AugMix build() {
      if (severity < 1 || severity > BINS) {
        throw new IllegalArgumentException(
            "severity must be 1 to %d, was %d".formatted(BINS, severity));
      }
      if (mixtureWidth < 1) {
        throw new IllegalArgumentException("mixtureWidth must be 1 or more, was " + mixtureWidth);
      }
      return new AugMix(this);
    }
  }
}
