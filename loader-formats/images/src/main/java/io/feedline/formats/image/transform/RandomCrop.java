package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A random transform that cuts a part of one size out of an image, anywhere, after an optional
 * border was added: torchvision's RandomCrop. With a black border, only the part is decoded.
 *
 * <p>Draws the top and then the left of the part; nothing where the image has the size already.
 * Immutable and thread-safe.
 */
public final class RandomCrop extends Transforms.Value implements RandomTransform<Image, Image> {

  private record Options(
      Size size, Sides padding, PaddingMode mode, Fill fill, boolean padIfNeeded) {
    Options {
      Objects.requireNonNull(size, "size");
      padding.border(mode, fill);
    }
  }

  private final int height;
  private final int width;
  private final Border padding;
  private final boolean padIfNeeded;

  private RandomCrop(Options options) {
    super(options);
    this.height = options.size.height();
    this.width = options.size.width();
    this.padding = options.padding.border(options.mode, options.fill);
    this.padIfNeeded = options.padIfNeeded;
  }

  /**
   * Returns the crop to a square with {@code size} rows and columns, 1 or more, without a border.
   */
  public static RandomCrop of(int size) {
    return of(size, size);
  }

  /**
   * Returns the crop to {@code height} rows, first as everywhere in torchvision, and {@code width}
   * columns, 1 or more, without a border.
   */
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
   * Returns the same transform with 0 to 2^24 pixels that are added on each side first; 0 by
   * default.
   */
  public RandomCrop withPadding(int padding) {
    return withPadding(padding, padding, padding, padding);
  }

  /**
   * Returns the same transform with pixels that are added on each side first, in torchvision's
   * order.
   */
  public RandomCrop withPadding(int left, int top, int right, int bottom) {
    return with("padding", new Sides(left, top, right, bottom));
  }

  /**
   * Returns the same transform with borders filled in another way, black with all but {@link
   * PaddingMode#CONSTANT}, the default.
   */
  public RandomCrop withMode(PaddingMode mode) {
    return with("mode", mode);
  }

  /**
   * Returns the same transform with constant borders of another color, 0 to 255 each; black by
   * default.
   */
  public RandomCrop withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  /**
   * Returns the same transform, by which the missing size of an image smaller than the part is
   * added on <em>both</em> sides, as in torchvision, so that the image lies anywhere in the part;
   * or by which such an image is an error, the default.
   */
  public RandomCrop withPadIfNeeded(boolean padIfNeeded) {
    return with("padIfNeeded", padIfNeeded);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the image is smaller than the part, without {@link
   *     #withPadIfNeeded}
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    Image padded = image.pad(padding);
    if (padIfNeeded && padded.width() < width) {
      padded = padded.pad(border(width - padded.width(), 0));
    }
    if (padIfNeeded && padded.height() < height) {
      padded = padded.pad(border(0, height - padded.height()));
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

  private Border border(int leftAndRight, int topAndBottom) {
    return new Border(
        leftAndRight, topAndBottom, leftAndRight, topAndBottom, padding.mode(), padding.fill());
  }
}
