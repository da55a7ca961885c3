package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import java.nio.ByteBuffer;

/**
 * Pixels in memory outside the heap, from index 0 of a buffer: row after row without gaps,
 * interleaved.
 *
 * @param samples the buffer, which is not copied and must not be changed; its position is neither
 *     used nor changed. Samples of 16 bits are in the machine's byte order
 */
public record BufferSource(ByteBuffer samples, int width, int height, ImageMode mode)
    implements ImageSource {

  @Override
  public PixelRows decode(Region region) {
    return new Rows(this, region, new byte[mode.pixelBytes() * region.width()]);
  }

  /** Rows that are copied to an array before packing, which is fastest from an array. */
  private record Rows(BufferSource image, Region region, byte[] row) implements RegionRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        int at = (region.y() + y + i) * image.width + region.x();
        image.samples.get(image.mode.pixelBytes() * at, row);
        PackedRgb.pack(image.mode, row, 0, pixels, offset + i * stride, width());
      }
    }
  }
}
