package io.feedline.formats.image.dataset;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;
import java.util.Objects;

/**
 * An image in low and in high resolution: a sample for super-resolution. The high image's width and
 * height are the low image's times an integer, the scale. The point (x, y) of the low image is at
 * (x * scale, y * scale) in the high image. In a batch the images become the tensors {@code low}
 * and {@code high}. Immutable and thread-safe.
 *
 * @param low the image in low resolution
 * @param high the image in high resolution
 */
public record ImagePair(Image low, Image high) {

  /**
   * Checks the sizes.
   *
   * @throws IllegalArgumentException unless the high image is a whole number of times as wide and
   *     high as the low image; the message names both images
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
   * @param scale the factor from the low to the high image's width and height, 1 or more
   * @throws IllegalArgumentException unless the high image is exactly {@code scale} times as wide
   *     and high as the low image; the message names both images
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

  /** Returns the factor from the low to the high image's width and height, 1 or more. */
  public int scale() {
    return high.width() / low.width();
  }

  /**
   * Returns the pair of the two transformed images. The transform must not depend on the size:
   * {@code ToTensor} and {@code Normalize} do not.
   *
   * @throws IllegalArgumentException if the results are not a pair
   * @throws Exception if the transform fails
   */
  public ImagePair map(Transform<? super Image, Image> transform) throws Exception {
    return new ImagePair(transform.apply(low), transform.apply(high));
  }
}
