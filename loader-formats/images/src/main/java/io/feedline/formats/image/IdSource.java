package io.feedline.formats.image;

import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RegionRows;

/** A source of a mask's ids that are in memory, row after row without gaps. */
record IdSource(Ids ids, int width, int height) implements ImageSource {

  interface Ids {
    void read(int from, int count, int[] pixels, int offset);
  }

  /** Returns a source of ids of one byte each; does not copy the array. */
  static IdSource of(byte[] ids, int width, int height) {
    return new IdSource(
        (from, count, pixels, offset) -> {
          for (int i = 0; i < count; i++) {
            pixels[offset + i] = ids[from + i] & 0xFF;
          }
        },
        width,
        height);
  }

  /** Returns a source of ids of up to 24 bits; does not copy the array. */
  static IdSource of(int[] ids, int width, int height) {
    return new IdSource(
        (from, count, pixels, offset) -> System.arraycopy(ids, from, pixels, offset, count),
        width,
        height);
  }

  @Override
  public PixelRows decode(Region region) {
    return new Rows(this, region);
  }

  private record Rows(IdSource image, Region region) implements RegionRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        int from = (region.y() + y + i) * image.width + region.x();
        image.ids.read(from, region.width(), pixels, offset + i * stride);
      }
    }
  }
}
