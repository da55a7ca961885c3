package io.feedline.formats.image;

/**
 * Packed pixels in memory that is used again for the next image, rows without padding. Nothing to
 * close; not thread-safe.
 */
final class PixelBuffer implements PixelRows {

  private int[] pixels = new int[0];
  private int width;
  private int height;

  /** Makes room for an image; the content is arbitrary until it is written. */
  void resize(int width, int height) {
    int count = Math.multiplyExact(width, height);
    if (pixels.length < count) {
      pixels = new int[count];
    }
    this.width = width;
    this.height = height;
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int height() {
    return height;
  }

  /** The pixels, at least {@code width * height} of them; row y begins at width * y. */
  int[] pixels() {
    return pixels;
  }

  @Override
  public void read(int y, int rows, int[] to, int offset, int stride) {
    for (int i = 0; i < rows; i++) {
      System.arraycopy(pixels, (y + i) * width, to, offset + i * stride, width);
    }
  }

  @Override
  public void close() {}
}
