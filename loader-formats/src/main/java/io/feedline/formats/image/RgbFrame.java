package io.feedline.formats.image;

import java.io.IOException;

/**
 * Decoded pixels as interleaved bytes, for code that changes them: in memory that is used again for
 * the next picture, rows without padding. Belongs to a {@link Workspace}; not thread-safe.
 */
final class RgbFrame {

  private byte[] rgb = new byte[0];
  private int[] row = new int[0];
  private int width;
  private int height;

  /** Makes room for a picture; the content is arbitrary until it is written. */
  void resize(int width, int height) {
    int bytes = Math.multiplyExact(Math.multiplyExact(width, height), 3);
    if (rgb.length < bytes) {
      rgb = new byte[bytes];
    }
    this.width = width;
    this.height = height;
  }

  /**
   * Decodes a part of a source, which becomes the content.
   *
   * @throws IOException if it cannot be decoded
   */
  void load(ImageSource source, Region region) throws IOException {
    try (PixelRows rows = source.decode(region)) {
      resize(region.width(), region.height());
      if (row.length < width) {
        row = new int[width];
      }
      for (int y = 0; y < height; y++) {
        rows.read(y, 1, row, 0, width);
        PackedRgb.unpack(row, 0, rgb, 3 * y * width, width);
      }
    }
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

  /** A part of the content. */
  PixelRows rows(Region part) {
    return new RgbSource.Rows(rgb, 3 * (part.y() * width + part.x()), 3 * width, part);
  }

  /** All of the content. */
  PixelRows rows() {
    return rows(new Region(0, 0, width, height));
  }
}
