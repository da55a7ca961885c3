package io.feedline.formats.image;

/**
 * A further image of a sample, which is changed along with the sample's first image. Its width and
 * height are those of the first image times an integer, as in a pair for super-resolution.
 *
 * @param scale the factor from the first image's sides to this image's sides; 0 if it is not an
 *     integer
 */
record ScaledImage(Image image, int scale) {

  static ScaledImage of(Image image, Image leading) {
    int scale = image.width() / leading.width();
    boolean whole =
        image.width() == (long) scale * leading.width()
            && image.height() == (long) scale * leading.height();
    return new ScaledImage(image, whole ? scale : 0);
  }

  ScaledImage after(ImageStep step) {
    return new ScaledImage(step.image().after(image, scale), scale);
  }

  void requireSize(String named, Image leading) {
    if (scale == 0) {
      throw new IllegalArgumentException(
          "%s: it is %d x %d, the first image is %d x %d, and a further one must be as large, or a whole number of times as large"
              .formatted(named, image.width(), image.height(), leading.width(), leading.height()));
    }
  }
}
