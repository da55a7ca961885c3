package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that surrounds an image with a border: torchvision's Pad. Negative padding is an
 * error; torchvision crops with negative padding. Immutable and thread-safe.
 *
 * <p>If a reflected border is longer than the image, the image is mirrored again and again;
 * torchvision uses NumPy, which before 2.0 fills some such borders differently.
 */
public final class Pad extends Transforms.Value implements Transform<Image, Image> {

  private record Options(Sides padding, PaddingMode mode, Fill fill) {
    Options {
      Sides.check(mode, fill);
    }
  }

  private final Options options;

  private Pad(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that adds a black border of 0 to 2^24 pixels on each side. */
  public static Pad of(int padding) {
    return of(padding, padding);
  }

  /**
   * Returns the transform that adds a black border of {@code leftAndRight} columns on the left and
   * right, and {@code topAndBottom} rows on the top and bottom.
   */
  public static Pad of(int leftAndRight, int topAndBottom) {
    return of(leftAndRight, topAndBottom, leftAndRight, topAndBottom);
  }

  /** Returns the transform that adds a black border; the parameters have torchvision's order. */
  public static Pad of(int left, int top, int right, int bottom) {
    return new Pad(
        new Options(new Sides(left, top, right, bottom), PaddingMode.CONSTANT, Fill.BLACK));
  }

  /**
   * Returns the same transform with another content of the border; {@link PaddingMode#CONSTANT} by
   * default. A fill color other than black is allowed with {@code CONSTANT} only.
   */
  public Pad withMode(PaddingMode mode) {
    return with("mode", mode);
  }

  /** Returns the same transform with this color of constant borders, 0 to 255; black by default. */
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
    return options.padding.pad(image, options.mode, options.fill);
  }
}
