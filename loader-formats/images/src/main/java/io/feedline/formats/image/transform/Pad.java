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

  /** Returns the transform that adds a black border of 0 to 2^24 pixels on each side. */
  public static Pad of(int padding) {
    return of(padding, padding);
  }

  /**
   * Returns the transform that adds a black border of so many columns on the left and right, and
   * rows on the top and bottom.
   */
  public static Pad of(int leftAndRight, int topAndBottom) {
    return of(leftAndRight, topAndBottom, leftAndRight, topAndBottom);
  }

  /** Returns the transform that adds a black border, with its sides in torchvision's order. */
  public static Pad of(int left, int top, int right, int bottom) {
    return new Pad(
        new Options(new Sides(left, top, right, bottom), PaddingMode.CONSTANT, Fill.BLACK));
  }

  /**
   * Returns the same transform with borders filled in another way, black with all but {@link
   * PaddingMode#CONSTANT}, the default.
   */
  public Pad withMode(PaddingMode mode) {
    return with("mode", mode);
  }

  /**
   * Returns the same transform with constant borders of another color, 0 to 255 each; black by
   * default.
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
