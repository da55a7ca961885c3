package io.feedline.formats.image;

/**
 * {@code rotate} and {@code affine} of torchvision for PIL images.
 *
 * @param filter nearest, bilinear or bicubic
 * @param fill the color where there is no image
 */
record Warp(Interpolation filter, int fill) {

  /** Turns an image around its center. */
  Image rotate(Image image, double degrees, boolean expand) {
    double angle = modulo360(degrees);
    boolean square = image.width() == image.height();
    if (angle == 0) {
      return image;
    }
    if (angle == 180) {
      return TurnedSource.apply(image, Orientation.UPSIDE_DOWN);
    }
    if ((angle == 90 || angle == 270) && (expand || square)) {
      return TurnedSource.apply(
          image, angle == 90 ? Orientation.COUNTER_CLOCKWISE : Orientation.CLOCKWISE);
    }
    return rotateAround(image, angle, image.width() / 2.0, image.height() / 2.0, expand);
  }

  /**
   * Turns an image around a point, which Pillow resamples even where the angle is a right one.
   *
   * @param degrees counter-clockwise
   * @param expand makes the result as large as the image turned around its center
   */
  Image rotateAround(Image image, double degrees, double x, double y, boolean expand) {
    AffineMatrix.Rotation rotation =
        AffineMatrix.rotation(modulo360(degrees), image.width(), image.height(), x, y, expand);
    return warp(image, rotation.matrix(), rotation.width(), rotation.height());
  }

  private static double modulo360(double degrees) {
    double rest = degrees % 360.0;
    return rest < 0 ? rest + 360.0 : rest;
  }

  /** Turns (clockwise), moves, scales and shears an image, keeping its size. */
  Image affine(
      Image image,
      double degrees,
      double translateX,
      double translateY,
      double scale,
      double shearX,
      double shearY) {
    double x = image.width() * 0.5;
    double y = image.height() * 0.5;
    return affineAround(image, x, y, degrees, translateX, translateY, scale, shearX, shearY);
  }

  /** The same around a point. */
  Image affineAround(
      Image image,
      double x,
      double y,
      double degrees,
      double translateX,
      double translateY,
      double scale,
      double shearX,
      double shearY) {
    AffineMatrix matrix =
        AffineMatrix.inverse(x, y, degrees, translateX, translateY, scale, shearX, shearY);
    return warp(image, matrix, image.width(), image.height());
  }

  private Image warp(Image image, AffineMatrix matrix, int width, int height) {
    return image.over(source -> new AffineSource(source, matrix, width, height, filter, fill));
  }
}
