package io.feedline.formats.image.dataset;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;
import java.util.Objects;

/**
 * An image in low and in high resolution: a sample for super-resolution. Width and height of the
 * high image are those of the low image times an integer, the scale; the point (x, y) of the low
 * image is at (x * scale, y * scale) in the high image. Immutable and thread-safe. In a batch the
 * two become {@code low} and {@code high}.
 *
 * @param low in low resolution
 * @param high in high resolution
 */
public record ImagePair(Image low, Image high) {

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException unless the high image is 1, 2, 3, ... times as wide and high
   *     as the low image; the message names both
   */
  public ImagePair {
    Objects.requireNonNull(low, "low");
    Objects.requireNonNull(high, "high");
    int scale = high.width() / low.width();
    if (scale < 1
        || high.width() != (long) scale * low.width()
        || high.height() != (long) scale * low.height()) {
      throw new IllegalArgumentException(
          "%s is %d x %d, and %s is %d x %d, which is not a whole number of times as large"
              .formatted(
                  low.description(),
                  low.width(),
                  low.height(),
                  high.description(),
                  high.width(),
                  high.height()));
    }
  }

  /**
   * Returns a pair of a given scale.
   *
   * @param scale how many times as wide and high the high image is, 1 or more
   * @throws IllegalArgumentException unless the high image is exactly {@code scale} times as wide
   *     and high as the low image; the message names both
   */
  public static ImagePair of(Image low, Image high, int scale) {
    if (high.width() != (long) scale * low.width()
        || high.height() != (long) scale * low.height()) {
      throw new IllegalArgumentException(
          "%s is %d x %d, so %s should be %d x %d (scale %d), but is %d x %d"
              .formatted(
                  low.description(),
                  low.width(),
                  low.height(),
                  high.description(),
                  (long) scale * low.width(),
                  (long) scale * low.height(),
                  scale,
                  high.width(),
                  high.height()));
    }
    return new ImagePair(low, high);
  }

  /** Returns how many times as wide and as high the high image is, 1 or more. */
  public int scale() {
    return high.width() / low.width();
  }

  /**
   * Returns both images with the same transform: for transforms that do not depend on the size,
   * such as {@code ToTensor} and {@code Normalize}.
   *
   * @throws IllegalArgumentException if the results are no pair
   * @throws Exception if the transform fails
   */
  public ImagePair map(Transform<? super Image, Image> transform) throws Exception {
    return new ImagePair(transform.apply(low), transform.apply(high));
  }
}
