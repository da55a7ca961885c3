package io.feedline.formats.image;

/**
 * Decoded pixels, in memory that is used again for the next picture: 8-bit RGB, interleaved, rows
 * packed without padding. Each worker has its own; not thread-safe.
 */
final class Frame {

  private byte[] rgb = new byte[0];
  private int width;
  private int height;

  /** Makes room for a picture; the content is arbitrary until it is decoded. */
  void resize(int width, int height) {
    int bytes = Math.multiplyExact(Math.multiplyExact(width, height), 3);
    if (rgb.length < bytes) {
      rgb = new byte[bytes];
    }
    this.width = width;
    this.height = height;
  }

  int width() {
    return width;
  }

  int height() {
    return height;
  }

  /** The samples, at least {@code 3 * width * height} of them; row y begins at 3 * width * y. */
  byte[] rgb() {
    return rgb;
  }
}
