package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that, with some probability, puts an image at a random position onto a larger
 * canvas: RandomZoomOut of torchvision's v2, which makes small objects for detectors ("SSD: Single
 * Shot MultiBox Detector", Liu et al., 2015). The result is up to four times as wide and high by
 * default.
 *
 * <p>Draws whether to change the image; then the factor of both sides, and the position of the
 * image, along x and along y. Immutable and thread-safe.
 */
public final class RandomZoomOut extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(Range sideRange, Fill fill, double probability) {
    Options {
      sideRange.within("sideRange", 1, Image.MAX_SIDE);
      Objects.requireNonNull(fill, "fill");
      Sizes.checkProbability(probability);
    }
  }

  private final Options options;

  private RandomZoomOut(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform with torchvision's defaults: with a probability of 0.5 a black canvas
   * whose sides are 1 to 4 times the image's sides.
   */
  public static RandomZoomOut of() {
    return new RandomZoomOut(new Options(new Range(1, 4), Fill.BLACK, 0.5));
  }

  /**
   * Returns the same transform with another range of the factor of both sides, {@code 1 <= min <=
   * max}; 1 to 4 by default.
   */
  public RandomZoomOut withSideRange(double min, double max) {
    return with("sideRange", new Range(min, max));
  }

  /** Returns the same transform with another canvas color, 0 to 255 a channel; black by default. */
  public RandomZoomOut withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  /** Returns the same transform with another probability, 0 to 1; 0.5 by default. */
  public RandomZoomOut withProbability(double probability) {
    return with("probability", probability);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    if (!Draw.happens(random, options.probability)) {
      return image;
    }
    float factor = options.sideRange.drawInTwoSteps(random);
    int addedColumns = Math.max(0, (int) (image.width() * factor) - image.width());
    int addedRows = Math.max(0, (int) (image.height() * factor) - image.height());
    int left = (int) (addedColumns * Draw.unit(random));
    int top = (int) (addedRows * Draw.unit(random));
    return image.pad(
        left, top, addedColumns - left, addedRows - top, PaddingMode.CONSTANT, options.fill.rgb());
  }
}
