package io.feedline.formats.image.pixel;

import java.util.Locale;

/**
 * The filter by which a resized image's pixels are computed from the original's: Pillow's filters,
 * with its names. When an image shrinks, all filters but {@link #NEAREST} widen with the reduction,
 * so that the result is free of aliasing; torchvision does the same with PIL images. {@link
 * #BILINEAR} can be had without that, see {@code Resize}'s option.
 */
public enum Interpolation {
  /**
   * The pixel nearest to the center; not antialiased. For PIL images that is torchvision's NEAREST
   * and NEAREST_EXACT alike.
   */
  NEAREST,
  /** The mean of the pixels below the new pixel. */
  BOX,
  /** Linear in the distance; torchvision's default, and this library's. */
  BILINEAR,
  /** The cubic convolution of Keys with a = -0.5. */
  BICUBIC,
  /** A sinc windowed by a wider sinc, with three lobes. */
  LANCZOS,
  /** A sinc of one lobe windowed by a raised cosine. */
  HAMMING;

  /**
   * Throws {@link IllegalArgumentException} if antialiasing is off for another than {@link
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
