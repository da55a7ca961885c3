package io.feedline.formats.image;

/**
 * A change to the pixels of an image that leaves its size alone, made in place when the image is
 * decoded. Immutable and thread-safe.
 */
interface PixelOperation {

  /**
   * Whether a pixel of the result depends on that pixel alone, so that a part can do without the
   * rest.
   */
  boolean isPointwise();

  /**
   * Changes the pixels.
   *
   * @param rgb interleaved samples, of which the first {@code 3 * width * height} are the image
   */
  void apply(byte[] rgb, int width, int height);
}
