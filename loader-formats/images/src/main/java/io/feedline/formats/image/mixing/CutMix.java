package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.Shape;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.ImageBlock;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A batch transform that puts a rectangle of one image of a batch into another, and mixes their
 * labels by the area: torchvision's CutMix ("CutMix: Regularization Strategy to Train Strong
 * Classifiers with Localizable Features", Yun et al., 2019).
 *
 * <p>The rectangle is the same for the whole batch. Its center is a random point of the image. Its
 * area is the share {@code 1 - s} of the image, with {@code s} drawn from Beta(alpha, alpha),
 * before the part outside the image is cut off. Each image receives the rectangle of the image
 * before it, and the first image receives the last image's rectangle. Labels are mixed as in {@link
 * MixUp}, by the share of the area that an image keeps. Results are torchvision's bit for bit,
 * given the same draws.
 *
 * <p>Images have any dtype, and the shape (n, channels, height, width), or (n, height, width,
 * channels) with {@link #withLayout}. Immutable and thread-safe.
 */
public final class CutMix extends Transforms.Value implements BatchTransform {

  private record Options(
      int numClasses,
      double alpha,
      double probability,
      String image,
      String label,
      ImageLayout layout) {
    Options {
      new BatchMixing(numClasses, alpha, probability, image, label);
      Objects.requireNonNull(layout, "layout");
    }
  }

  private final BatchMixing mixing;
  private final ImageLayout layout;

  private CutMix(Options options) {
    super(options);
    this.mixing =
        new BatchMixing(
            options.numClasses, options.alpha, options.probability, options.image, options.label);
    this.layout = options.layout;
  }

  /** Returns the transform for 1 or more classes, with torchvision's default, an alpha of 1. */
  public static CutMix of(int numClasses) {
    return of(numClasses, 1);
  }

  /** Returns the transform with this alpha, above 0 and finite. */
  public static CutMix of(int numClasses, double alpha) {
    return new CutMix(new Options(numClasses, alpha, 1, "image", "label", ImageLayout.CHW));
  }

  /**
   * Returns the same transform with another parameter of the Beta distribution, above 0 and finite;
   * a smaller alpha mixes less.
   */
  public CutMix withAlpha(double alpha) {
    return with("alpha", alpha);
  }

  /**
   * Returns the same transform with another probability of mixing a batch, 0 to 1; 1 by default.
   * Labels become probabilities in any case.
   */
  public CutMix withProbability(double probability) {
    return with("probability", probability);
  }

  /**
   * Returns the same transform with another name of the images' tensor; {@code image} by default.
   */
  public CutMix withImage(String name) {
    return with("image", name);
  }

  /**
   * Returns the same transform with another name of the labels' tensor; {@code label} by default.
   */
  public CutMix withLabel(String name) {
    return with("label", name);
  }

  /** Returns the same transform with another order of the images' axes; CHW by default. */
  public CutMix withLayout(ImageLayout layout) {
    return with("layout", layout);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if images or labels are missing or have another dtype or
   *     shape, or a label is not a class
   */
  @Override
  public void apply(MutableBatch batch, RandomGenerator random) {
    mixing.apply(batch, random, share -> mix(batch, share, random));
  }

  private double mix(MutableBatch batch, double share, RandomGenerator random) {
    Shape shape = batch.shape(mixing.image());
    int width = ImageBlock.width(layout, shape);
    int height = ImageBlock.height(layout, shape);
    int x = Draw.below(random, width);
    int y = Draw.below(random, height);
    Region box = box(width, height, share, x, y);
    pass(batch, mixing.image(), layout, box);
    return 1.0 - (double) (box.width() * box.height()) / (width * height);
  }

  /**
   * Returns the rectangle around (x, y), cut off at the image's edges; it may be empty. {@code
   * share} is the share of the image outside the rectangle before the cut.
   */
  static Region box(int width, int height, double share, int x, int y) {
    double half = 0.5 * Math.sqrt(1.0 - share);
    int halfWidth = (int) (half * width);
    int halfHeight = (int) (half * height);
    int left = Math.max(0, x - halfWidth);
    int top = Math.max(0, y - halfHeight);
    int right = Math.min(width, x + halfWidth);
    int bottom = Math.min(height, y + halfHeight);
    return new Region(left, top, right - left, bottom - top);
  }

  static void pass(MutableBatch batch, String image, ImageLayout layout, Region box) {
    long channels = ImageBlock.channels(layout, batch.shape(image));
    ImageBlock block = new ImageBlock(layout, box, 0, channels);
    batch.passOn(image, block.from(), block.to());
  }
}
