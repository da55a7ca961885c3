package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;

/** A decoder of Windows and OS/2 bitmaps, stored in rows or in runs. Its pixels equal Pillow's. */
final class BmpDecoder implements PixelDecoder, IdDecoder {

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    Conversion.requireEightBits(header, mode);
    BmpHeader bmp = BmpHeader.of(data);
    return decode(data, header, region, bmp, bmp.format(mode)).as(mode);
  }

  @Override
  public PixelRows decodeIds(byte[] data, ImageHeader header, Region region)
      throws FormatException {
    BmpHeader bmp = BmpHeader.of(data);
    return decode(data, header, region, bmp, bmp.ids());
  }

  private static DecodedRegion decode(
      byte[] data, ImageHeader header, Region region, BmpHeader bmp, PixelFormat format)
      throws FormatException {
    int width = header.width();
    int height = header.height();
    boolean halves = bmp.compression() == BmpHeader.RUNS_OF_HALF_BYTES;
    if (halves || bmp.compression() == BmpHeader.RUNS_OF_BYTES) {
      byte[] pixels = DecodedRegion.allocate((long) width * height, header);
      new BmpRuns(data, bmp.pixels(), width, halves).restore(pixels, width * height);
      return put(pixels, 0, width, header, region, bmp, format.ofWholeBytes());
    }
    long rowBytes = format.rowBytes(width);
    long stride = (rowBytes + 3) / 4 * 4;
    // Some writers leave out the padding of the last row.
    long end = bmp.pixels() + stride * (height - 1) + rowBytes;
    if (end > data.length) {
      throw new FormatException(
          "the BMP is truncated: its rows end at byte %d, but the data at byte %d"
              .formatted(end, data.length));
    }
    return put(data, bmp.pixels(), stride, header, region, bmp, format);
  }

  private static DecodedRegion put(
      byte[] rows,
      long start,
      long stride,
      ImageHeader header,
      Region region,
      BmpHeader bmp,
      PixelFormat format)
      throws FormatException {
    DecodedRegion target = new DecodedRegion(header, region, format);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      int row = bmp.fromTheTop() ? y : header.height() - 1 - y;
      target.put(y, rows, (int) (start + stride * row));
    }
    return target;
  }
}
