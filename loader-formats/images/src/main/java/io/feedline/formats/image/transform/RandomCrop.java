package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that crops an image to a part of a fixed size at a random position, after
 * adding an optional border: torchvision's RandomCrop. With a black border, only the part is
 * decoded.
 *
 * <p>Draws the top and then the left of the part; draws nothing if the image has the size already.
 * Immutable and thread-safe.
 */
public final class RandomCrop extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(
      Size size, Sides padding, PaddingMode mode, Fill fill, boolean padIfNeeded) {
    Options {
      Objects.requireNonNull(size, "size");
      Sides.check(mode, fill);
    }
  }

  private final int height;
  private final int width;
  private final Options options;

  private RandomCrop(Options options) {
    super(options);
    this.height = options.size.height();
    this.width = options.size.width();
    this.options = options;
  }

  /**
   * Returns the crop to a square with {@code size} rows and columns, 1 or more, without a border.
   */
  public static RandomCrop of(int size) {
    return of(size, size);
  }

  /** Returns the crop to {@code height} rows and {@code width} columns, 1 or more; no border. */
  public static RandomCrop of(int height, int width) {
    return new RandomCrop(
        new Options(
            new Size(height, width),
            new Sides(0, 0, 0, 0),
            PaddingMode.CONSTANT,
            Fill.BLACK,
            false));
  }

  /**
   * Returns the same transform with a border of 0 to 2^24 pixels on each side, added before the
   * crop; 0 by default.
   */
  public RandomCrop withPadding(int padding) {
    return withPadding(padding, padding, padding, padding);
  }

  /**
   * Returns the same transform with borders on the four sides, added before the crop; the
   * parameters have torchvision's order.
   */
  public RandomCrop withPadding(int left, int top, int right, int bottom) {
    return with("padding", new Sides(left, top, right, bottom));
  }

  /**
   * Returns the same transform with another content of the border; {@link PaddingMode#CONSTANT} by
   * default. A fill color other than black is allowed with {@code CONSTANT} only.
   */
  public RandomCrop withMode(PaddingMode mode) {
    return with("mode", mode);
  }

  /** Returns the same transform with this color of constant borders, 0 to 255; black by default. */
  public RandomCrop withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  /**
   * Returns the same transform with the choice what to do with an image smaller than the part. If
   * true, the missing size is added on <em>both</em> sides, as in torchvision, so that the image
   * may be anywhere in the part. If false, the default, such an image is an error.
   */
  public RandomCrop withPadIfNeeded(boolean padIfNeeded) {
    return with("padIfNeeded", padIfNeeded);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the image is smaller than the part and {@link
   *     #withPadIfNeeded} is false
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    Image padded = options.padding.pad(image, options.mode, options.fill);
    if (options.padIfNeeded) {
      int columns = Math.max(0, width - padded.width());
      int rows = Math.max(0, height - padded.height());
      padded = new Sides(columns, 0, columns, 0).pad(padded, options.mode, options.fill);
      padded = new Sides(0, rows, 0, rows).pad(padded, options.mode, options.fill);
    }
    if (padded.width() < width || padded.height() < height) {
      throw new IllegalArgumentException(
          "a part of %d x %d does not fit into an image of %d x %d; withPadIfNeeded would enlarge it"
              .formatted(width, height, padded.width(), padded.height()));
    }
    if (padded.width() == width && padded.height() == height) {
      return padded;
    }
    int top = Draw.below(random, padded.height() - height + 1);
    int left = Draw.below(random, padded.width() - width + 1);
    return padded.crop(new Region(left, top, width, height));
  }
}
