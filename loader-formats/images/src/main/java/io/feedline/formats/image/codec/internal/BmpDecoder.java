package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;

/** Windows and OS/2 bitmaps, in rows or in runs; pixels equal Pillow's. */
final class BmpDecoder implements PixelDecoder, IdDecoder {

  @Override
  public String name() {
    return "Feedline's BMP decoder";
  }

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
    long start = bmp.pixels();
    if (bmp.compression() == BmpHeader.RUNS_OF_BYTES
        || bmp.compression() == BmpHeader.RUNS_OF_HALF_BYTES) {
      return decodeRuns(data, header, region, bmp, format);
    }
    long rowBytes = format.rowBytes(header.width());
    long stride = (rowBytes + 3) / 4 * 4;
    // Some writers leave out the padding of the last row.
    long end = start + stride * (header.height() - 1) + rowBytes;
    if (end > data.length) {
      throw new FormatException(
          "the BMP is truncated: its rows end at byte %d, but the data at byte %d"
              .formatted(end, data.length));
    }
    DecodedRegion target = new DecodedRegion(header, region, format);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      int row = bmp.fromTheTop() ? y : header.height() - 1 - y;
      target.put(y, data, (int) (start + stride * row));
    }
    return target;
  }

  private static DecodedRegion decodeRuns(
      byte[] data, ImageHeader header, Region region, BmpHeader bmp, PixelFormat format)
      throws FormatException {
    int width = header.width();
    byte[] pixels = DecodedRegion.allocate((long) width * header.height(), header);
    boolean halves = bmp.compression() == BmpHeader.RUNS_OF_HALF_BYTES;
    new BmpRuns(data, bmp.pixels(), width, halves).restore(pixels, width * header.height());
    PixelFormat bytes = format.ofWholeBytes();
    DecodedRegion target = new DecodedRegion(header, region, bytes);
    for (int y = region.y(); y < region.y() + region.height(); y++) {
      int row = bmp.fromTheTop() ? y : header.height() - 1 - y;
      target.put(y, pixels, row * width);
    }
    return target;
  }
}
