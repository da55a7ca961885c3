package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.RegionRows;

/**
 * The wanted part of an image, which a decoder in Java fills row by row. The pixels lie in an array
 * that the thread keeps and reuses, unless the image is unusually large.
 */
final class DecodedRegion implements RegionRows {

  /** The largest array that a thread keeps, enough for an image of 22 megapixels in color. */
  private static final int KEPT_BYTES = 64 << 20;

  private static final ThreadLocal<byte[]> KEPT = ThreadLocal.withInitial(() -> new byte[0]);

  private final Region region;
  private final PixelFormat format;
  private final int unpacked;
  private final byte[] bytes;

  /**
   * Makes room for a region, with arbitrary content until each pixel is written.
   *
   * @throws FormatException if the pixels do not fit into an array
   */
  DecodedRegion(ImageHeader header, Region region, PixelFormat format) throws FormatException {
    this.region = region;
    this.format = format;
    this.unpacked = format.unpackedBytes();
    long needed = (long) unpacked * region.width() * region.height();
    byte[] kept = KEPT.get();
    if (kept.length < needed) {
      // A quarter more is allocated, so that images of slowly growing size do not all allocate.
      long room = needed > KEPT_BYTES ? needed : Math.min(KEPT_BYTES, needed + (needed >> 2));
      kept = allocate(room, header);
      if (room <= KEPT_BYTES) {
        KEPT.set(kept);
      }
    }
    this.bytes = kept;
  }

  /**
   * Returns an array of a size that a file defines.
   *
   * @throws FormatException if no array can be so large
   */
  static byte[] allocate(long bytes, ImageHeader header) throws FormatException {
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new FormatException(HeapLimit.refusal(header.width(), header.height()));
    }
    return new byte[(int) bytes];
  }

  boolean wants(int y) {
    return y >= region.y() && y < region.y() + region.height();
  }

  void put(int y, byte[] row, int from) {
    put(y, 0, region.x() + region.width(), row, from);
  }

  /** Stores a row's pixels from column {@code x} on, but only those that lie in the region. */
  void put(int y, int x, int width, byte[] row, int from) {
    int first = Math.max(x, region.x());
    int end = Math.min(x + width, region.x() + region.width());
    if (first < end && wants(y)) {
      format.unpack(row, from, first - x, end - first, bytes, position(first, y));
    }
  }

  /**
   * Stores {@code count} unpacked pixels of a row, but only those that lie in the region. The first
   * pixel is at column {@code x}, each further pixel {@code step} columns to the right.
   */
  void scatter(int y, int x, int step, int count, byte[] pixels) {
    if (!wants(y)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      int column = x + i * step;
      if (column >= region.x() && column < region.x() + region.width()) {
        System.arraycopy(pixels, i * unpacked, bytes, position(column, y), unpacked);
      }
    }
  }

  PixelRows as(ImageMode mode) {
    return format.mode() == mode ? this : Conversion.convert(this, mode);
  }

  private int position(int x, int y) {
    return ((y - region.y()) * region.width() + x - region.x()) * unpacked;
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public void read(int y, int rows, int[] pixels, int offset, int stride) {
    int width = region.width();
    int[] colors = format.colors();
    for (int i = 0; i < rows; i++) {
      int from = (y + i) * width * unpacked;
      int to = offset + i * stride;
      if (colors == null) {
        PackedRgb.pack(format.mode(), bytes, from, pixels, to, width);
      } else {
        for (int x = 0; x < width; x++) {
          pixels[to + x] = colors[bytes[from + x] & 0xFF];
        }
      }
    }
  }
}
