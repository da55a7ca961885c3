package io.feedline.formats.image.transform;

import io.feedline.formats.image.Border;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that surrounds an image with a border: torchvision's Pad. Negative padding, by which
 * torchvision cuts off, is an error here. Immutable and thread-safe.
 *
 * <p>If a reflected border is longer than the image, the image is mirrored again and again; NumPy
 * before 2.0, on which torchvision relies, continues some such borders in another way.
 */
public final class Pad extends Transforms.Value implements Transform<Image, Image> {

  private record Options(Sides padding, PaddingMode mode, Fill fill) {
    Options {
      padding.border(mode, fill);
    }
  }

  private final Border border;

  private Pad(Options options) {
    super(options);
    this.border = options.padding.border(options.mode, options.fill);
  }

  /**
   * Returns the transform that adds a black border.
   *
   * @param padding pixels on each side
   * @throws IllegalArgumentException if it is negative or above 2^24
   */
  public static Pad of(int padding) {
    return of(padding, padding);
  }

  /**
   * Returns the transform that adds a black border of equal pairs of sides.
   *
   * @param leftAndRight columns on each of the two sides
   * @param topAndBottom rows on each of the two sides
   * @throws IllegalArgumentException if an argument is negative or above 2^24
   */
  public static Pad of(int leftAndRight, int topAndBottom) {
    return of(leftAndRight, topAndBottom, leftAndRight, topAndBottom);
  }

  /**
   * Returns the transform that adds a black border, with its sides in torchvision's order.
   *
   * @param left columns, 0 or more
   * @param top rows, 0 or more
   * @param right columns, 0 or more
   * @param bottom rows, 0 or more
   * @throws IllegalArgumentException if an argument is negative or above 2^24
   */
  public static Pad of(int left, int top, int right, int bottom) {
    return new Pad(
        new Options(new Sides(left, top, right, bottom), PaddingMode.CONSTANT, Fill.BLACK));
  }

  /**
   * Returns the same transform with borders filled in another way; {@link PaddingMode#CONSTANT} is
   * the default.
   *
   * @throws IllegalArgumentException if the border has a color, which the mode does not use
   */
  public Pad withMode(PaddingMode mode) {
    return with("mode", mode);
  }

  /**
   * Returns the same transform with constant borders of another color; black is the default.
   *
   * @throws IllegalArgumentException if a number is not within 0 to 255, or borders are not
   *     constant
   */
  public Pad withFill(int red, int green, int blue) {
    return with("fill", new Fill(red, green, blue));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a side would exceed 2^24 pixels
   */
  @Override
  public Image apply(Image image) {
    return image.pad(border);
  }
}
