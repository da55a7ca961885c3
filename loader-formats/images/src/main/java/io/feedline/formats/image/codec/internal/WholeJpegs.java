package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.RegionRows;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.WholeDecoder;

/** Decodes JPEGs of all kinds, damaged JPEGs included, by a {@link WholeDecoder} of each thread. */
final class WholeJpegs {

  private static final int KEPT_PIXELS = 16 << 20;

  private static final ThreadLocal<WholeDecoder> DECODER =
      ThreadLocal.withInitial(WholeDecoder::new);

  private WholeJpegs() {}

  /**
   * Returns a part of an image whose sides are divided by {@code divisor}: 1, 2, 4 or 8.
   *
   * @return the pixels; valid until the thread decodes again
   * @throws JpegException if libjpeg refuses the image
   */
  static PixelRows decode(byte[] data, ColorSpace color, int divisor, Region region, ImageMode mode)
      throws JpegException {
    boolean luma =
        mode == ImageMode.GRAY && (color == ColorSpace.GRAY || color == ColorSpace.YCBCR);
    WholeDecoder decoder = DECODER.get();
    decoder.decode(
        data,
        divisor,
        luma ? 1 : Integer.MAX_VALUE,
        region.x(),
        region.y(),
        region.width(),
        region.height());
    byte[][] row = new byte[decoder.components()][region.width()];
    PixelRows rows = new Rows(decoder, region, row, color, luma);
    return luma ? rows : Conversion.convert(rows, mode);
  }

  private record Rows(
      WholeDecoder decoder, Region region, byte[][] row, ColorSpace color, boolean luma)
      implements RegionRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        for (int c = 0; c < row.length; c++) {
          decoder.read(c, y + i, row[c]);
        }
        int at = offset + i * stride;
        if (luma) {
          for (int x = 0; x < region.width(); x++) {
            pixels[at + x] = row[0][x] & 0xFF;
          }
        } else {
          JpegColorConversion.toRgb(row, color, region.width(), pixels, at);
        }
      }
    }

    @Override
    public void close() {
      if ((long) region.width() * region.height() > KEPT_PIXELS) {
        DECODER.remove();
      }
    }
  }
}
