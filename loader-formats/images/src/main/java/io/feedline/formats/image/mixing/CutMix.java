package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.Shape;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.internal.ImageBlock;
import io.feedline.formats.internal.Draw;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A batch transform that puts a rectangle of one image of a batch into another, and mixes their
 * labels by the area: torchvision's CutMix ("CutMix: Regularization Strategy to Train Strong
 * Classifiers with Localizable Features", Yun et al., 2019).
 *
 * <p>The rectangle, one for the whole batch, has its middle anywhere in the image. Its sides would
 * give it the share {@code 1 - s} of the area, with {@code s} drawn from Beta(alpha, alpha); the
 * part outside the image is cut off. Each image gets the rectangle from the one before, the first
 * from the last. Labels are mixed as in {@link MixUp}, by the share of the area that stays an
 * image's own; results are torchvision's bit for bit, given what was drawn.
 *
 * <p>Images are of any dtype, and of shape (n, channels, height, width), or (n, height, width,
 * channels) with {@link Builder#layout}. Immutable and thread-safe.
 */
public final class CutMix extends MixingTransform {
  private final ImageLayout layout;

  private CutMix(BatchMixing mixing, ImageLayout layout) {
    super(mixing);
    this.layout = layout;
  }

  /**
   * Returns the transform with torchvision's default, an alpha of 1.
   *
   * @param numClasses the number of classes, 1 or more
   * @throws IllegalArgumentException if there is no class
   */
  public static CutMix of(int numClasses) {
    return builder(numClasses).build();
  }

  /**
   * Returns the transform with this alpha.
   *
   * @param numClasses the number of classes, 1 or more
   * @param alpha the parameter of the Beta distribution, above 0
   * @throws IllegalArgumentException if there is no class, or alpha is not above 0
   */
  public static CutMix of(int numClasses, double alpha) {
    return builder(numClasses).alpha(alpha).build();
  }

  /** Returns a builder with the defaults of {@link #of(int)}. */
  public static Builder builder(int numClasses) {
    return new Builder(numClasses);
  }

  /** Returns the order of the images' axes. */
  public ImageLayout layout() {
    return layout;
  }

  @Override
  double mix(MutableBatch batch, double share, RandomGenerator random) {
    Shape shape = batch.shape(image());
    int width = ImageBlock.width(layout, shape);
    int height = ImageBlock.height(layout, shape);
    int x = Draw.below(random, width);
    int y = Draw.below(random, height);
    Region box = box(width, height, share, x, y);
    pass(batch, image(), layout, box);
    return 1.0 - (double) (box.width() * box.height()) / (width * height);
  }

  /** Returns the rectangle around a point; it may be empty. */
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

  /** Puts a rectangle of each image into the next one. */
  static void pass(MutableBatch batch, String image, ImageLayout layout, Region box) {
    long channels = ImageBlock.channels(layout, batch.shape(image));
    ImageBlock block = new ImageBlock(layout, box, 0, channels);
    batch.passOn(image, block.from(), block.to());
  }

  @Override
  public String toString() {
    return "CutMix(%s, layout=%s)".formatted(mixing(), layout);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends MixingTransform.Options<Builder> {
    private ImageLayout layout = ImageLayout.CHW;

    private Builder(int numClasses) {
      super(numClasses);
    }

    /** Sets the order of the images' axes; {@link ImageLayout#CHW} by default. */
    public Builder layout(ImageLayout layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if there is no class, alpha is not above 0 and finite, or
     *     the probability is not within 0 to 1
     */
    public CutMix build() {
      return new CutMix(mixing(), layout);
    }
  }
}
