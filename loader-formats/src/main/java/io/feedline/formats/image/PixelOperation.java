package io.feedline.formats.image;

/**
 * A change to the pixels of an image that leaves its size alone, made in place when the image is
 * decoded. Immutable and thread-safe.
 */
public interface PixelOperation {

  /**
   * Returns whether a pixel of the result depends on that pixel alone, so that a part of the image
   * can be decoded without the rest.
   */
  boolean isPointwise();

  /**
   * Changes the pixels.
   *
   * @param rgb unsigned bytes, rows from the top, red, green and blue interleaved; the first {@code
   *     3 * width * height} are the image. Must not be kept after the call
   * @param width columns
   * @param height rows
   */
  void apply(byte[] rgb, int width, int height);
}
