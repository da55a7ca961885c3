package io.feedline.formats.image.transform;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;

/**
 * {@code rotate} and {@code affine} of torchvision for PIL images.
 *
 * @param filter nearest, bilinear or bicubic
 * @param fill the color where there is no image
 */
record Warp(Interpolation filter, int fill) {

  /**
   * A way to warp.
   *
   * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic
   */
  Warp {
    switch (filter) {
      case NEAREST, BILINEAR, BICUBIC -> {}
      default ->
          throw new IllegalArgumentException(
              "interpolation must be nearest, bilinear or bicubic, was " + filter);
    }
  }

  /**
   * Returns a way to warp.
   *
   * @throws IllegalArgumentException if the filter is not nearest, bilinear or bicubic
   */
  static Warp of(Interpolation filter, Fill fill) {
    return new Warp(filter, fill.rgb());
  }

  /** Turns an image around its center. */
  Image rotate(Image image, double degrees, boolean expand) {
    return image.rotate(degrees, expand, filter, fill);
  }

  /**
   * Turns an image around a point, which Pillow resamples even for a right angle.
   *
   * @param degrees counter-clockwise
   * @param expand makes the result as large as the image turned around its center
   */
  Image rotateAround(Image image, double degrees, double x, double y, boolean expand) {
    return image.rotate(degrees, x, y, expand, filter, fill);
  }

  /** Turns, moves, scales and shears an image, keeping its size. */
  Image affine(Image image, AffineMatrix matrix) {
    return image.affine(matrix, image.width(), image.height(), filter, fill);
  }
}
