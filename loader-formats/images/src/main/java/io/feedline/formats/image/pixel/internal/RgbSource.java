package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;

/** Pixels in an array: row after row without gaps, interleaved. */
public record RgbSource(byte[] rgb, int width, int height) implements ImageSource {

  @Override
  public PixelRows decode(Region region) {
    return new Rows(rgb, 3 * (region.y() * width + region.x()), 3 * width, region);
  }

  /**
   * The rows of a part of interleaved bytes.
   *
   * @param first the index of the part's first byte
   * @param rowBytes the number of bytes from one row of the image to the next
   */
  public record Rows(byte[] rgb, int first, int rowBytes, Region region)
      implements RegionRows, SampleRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        PackedRgb.pack(rgb, first + (y + i) * rowBytes, pixels, offset + i * stride, width());
      }
    }

    @Override
    public void readSamples(int y, byte[] samples, int offset, int[] scratch) {
      System.arraycopy(rgb, first + y * rowBytes, samples, offset, 3 * width());
    }
  }
}
