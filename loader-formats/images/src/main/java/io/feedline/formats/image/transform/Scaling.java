package io.feedline.formats.image.transform;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;

/**
 * {@code resize} of torchvision.
 *
 * @param filter by which pixels are computed
 * @param antialias whether it widens with a reduction
 */
record Scaling(Interpolation filter, boolean antialias) {

  /**
   * A way to scale.
   *
   * @throws IllegalArgumentException if antialiasing is off for a filter other than bilinear
   */
  Scaling {
    filter.checkAntialias(antialias);
  }

  Image resize(Image image, int width, int height) {
    return image.resize(width, height, filter, antialias);
  }

  /** Returns the words at the end of a transform's. */
  @Override
  public String toString() {
    return "interpolation=" + filter + (antialias ? "" : ", antialias=false");
  }
}
