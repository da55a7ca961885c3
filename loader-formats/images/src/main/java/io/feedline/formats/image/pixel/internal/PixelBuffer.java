package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;

/**
 * Packed pixels, row after row without gaps, in memory that is used again for the next image.
 * Closing does nothing. Not thread-safe.
 */
public final class PixelBuffer implements PixelRows {

  private int[] pixels = new int[0];
  private int width;
  private int height;

  /** Returns a copy of stored pixels, turned and mirrored for display. */
  public static PixelBuffer turned(PixelRows stored, Orientation orientation) {
    int width = stored.width();
    int height = stored.height();
    boolean swapsAxes = orientation.swapsAxes();
    int shownWidth = swapsAxes ? height : width;
    // A new buffer: too few images are stored turned for keeping a buffer.
    PixelBuffer shown = new PixelBuffer();
    shown.resize(shownWidth, swapsAxes ? width : height);
    int[] to = shown.pixels();
    int columnStep = (swapsAxes ? shownWidth : 1) * (orientation.flipsX() ? -1 : 1);
    int rowStep = (swapsAxes ? 1 : shownWidth) * (orientation.flipsY() ? -1 : 1);
    int first =
        (orientation.flipsX() ? (1 - width) * columnStep : 0)
            + (orientation.flipsY() ? (1 - height) * rowStep : 0);
    int[] row = new int[width];
    for (int y = 0; y < height; y++) {
      stored.read(y, 1, row, 0, width);
      int out = first + y * rowStep;
      for (int x = 0; x < width; x++, out += columnStep) {
        to[out] = row[x];
      }
    }
    return shown;
  }

  /** Makes room for an image; the content is arbitrary until it is written. */
  public void resize(int width, int height) {
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

  /** Returns the pixels; the array may be longer. Row y begins at width * y. */
  public int[] pixels() {
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
