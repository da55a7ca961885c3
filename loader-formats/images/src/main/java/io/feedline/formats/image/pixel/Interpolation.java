package io.feedline.formats.image.pixel;

import java.util.Locale;

/**
 * The filter that computes the pixels of a resized image: Pillow's filters, with Pillow's names.
 * When an image shrinks, all filters but {@link #NEAREST} widen with the reduction, as
 * torchvision's do for PIL images, so that the result has no aliasing. For {@link #BILINEAR}, an
 * option of {@code Resize} turns the widening off.
 */
public enum Interpolation {
  /**
   * The pixel nearest to the center; not antialiased. For PIL images torchvision's NEAREST and
   * NEAREST_EXACT are both this filter.
   */
  NEAREST,
  /** The mean of the pixels that the new pixel covers. */
  BOX,
  /** Weights that fall linearly with the distance; the default, as in torchvision. */
  BILINEAR,
  /** The cubic convolution of Keys with a = -0.5. */
  BICUBIC,
  /** A sinc windowed by a wider sinc, with three lobes. */
  LANCZOS,
  /** A sinc with one lobe, windowed by a raised cosine. */
  HAMMING;

  /**
   * Throws {@link IllegalArgumentException} if antialiasing is off and the filter is not {@link
   * #BILINEAR}.
   */
  public void checkAntialias(boolean antialias) {
    if (!antialias && this != BILINEAR) {
      throw new IllegalArgumentException(
          "antialias(false) goes with bilinear interpolation, was " + this);
    }
  }

  /** Returns the name in lower case, as torchvision prints it: for example {@code bilinear}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
