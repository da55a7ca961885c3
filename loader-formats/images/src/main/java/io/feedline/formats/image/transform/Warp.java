package io.feedline.formats.image.transform;

import io.feedline.formats.image.AffineMatrix;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;

/** The filter and the fill of torchvision's {@code rotate} and {@code affine} for PIL images. */
record Warp(Interpolation filter, int fill) {

  Warp {
    switch (filter) {
      case NEAREST, BILINEAR, BICUBIC -> {}
      default ->
          throw new IllegalArgumentException(
              "interpolation must be nearest, bilinear or bicubic, was " + filter);
    }
  }

  static Warp of(Interpolation filter, Fill fill) {
    return new Warp(filter, fill.rgb());
  }

  Image rotate(Image image, double degrees, boolean expand) {
    return image.rotate(degrees, expand, filter, fill);
  }

  /** Turns an image around a point. As in Pillow, even a right angle resamples the image. */
  Image rotateAround(Image image, double degrees, double x, double y, boolean expand) {
    return image.rotate(degrees, x, y, expand, filter, fill);
  }

  Image affine(Image image, AffineMatrix matrix) {
    return image.affine(matrix, image.width(), image.height(), filter, fill);
  }
}
