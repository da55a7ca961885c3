package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.internal.RawLayout;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.Conversion;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.image.pixel.internal.RegionRows;
import io.feedline.formats.image.pixel.internal.RgbSource;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;

/**
 * A decoder of raw records. It reads only the groups of rows that the region touches. If the record
 * is not in memory, they are read into an array that the thread keeps.
 */
final class RawDecoder implements InPlaceDecoder {

  private static final PixelFormat GRAY = PixelFormat.indexed(8, PixelFormat.grays(8, false));
  private static final PixelFormat RGB = PixelFormat.rgb(3, 0, 1, 2);

  /** The thread's array for groups that are not in memory, kept up to the size of 22 megapixels. */
  private static final ThreadLocal<byte[]> ROOM = ThreadLocal.withInitial(() -> new byte[0]);

  private static final int KEPT_BYTES = 64 << 20;

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    int version = bytes.u16(RawLayout.VERSION_AT, "the version of the raw record");
    if (version != RawLayout.VERSION) {
      throw new FormatException(RawRecord.otherVersion(version));
    }
    return ImageHeader.of(
        ImageFormat.RAW,
        bytes.u32(RawLayout.WIDTH_AT, "the width of the raw record"),
        bytes.u32(RawLayout.HEIGHT_AT, "the height of the raw record"),
        ColorSpace.PLAIN,
        Orientation.ofTag(bytes.u8(RawLayout.ORIENTATION_AT, "the orientation of the raw record")));
  }

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    return decode(RawRecord.parse(data), header, region, mode);
  }

  @Override
  public long headerBytes(byte[] beginning) {
    return RawRecord.HEADER_BYTES;
  }

  @Override
  public PixelRows decode(StoredImage image, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    Conversion.requireEightBits(header, mode);
    return decode(RawRecord.parse(image.length(), image::read), header, region, mode);
  }

  /**
   * Decodes a part of an image to a mode with 8 bits; {@code header} is the header that was read
   * when the region was chosen.
   */
  static PixelRows decode(RawRecord record, ImageHeader header, Region region, ImageMode mode)
      throws IOException {
    header.requireSize(record.width(), record.height());
    int first = region.y() / record.rowsOfGroup();
    int last = (region.y() + region.height() - 1) / record.rowsOfGroup();
    RawRecord.Groups groups = record.read(first, last, ROOM.get());
    if (groups.bytes() != ROOM.get() && groups.at() == 0 && groups.bytes().length <= KEPT_BYTES) {
      ROOM.set(groups.bytes());
    }
    if (record.isCompressed()) {
      return unpack(record, groups, last, header, region, mode);
    }
    int rowBytes = record.width() * record.samples();
    int skipped = region.y() - first * record.rowsOfGroup();
    int at = groups.at() + skipped * rowBytes + region.x() * record.samples();
    if (record.samples() == 1) {
      boolean once = mode == ImageMode.GRAY;
      PixelRows rows =
          new GrayRows(groups.bytes(), at, rowBytes, region, once ? 1 : PackedRgb.of(1, 1, 1));
      return once ? rows : Conversion.convert(rows, mode);
    }
    return Conversion.convert(new RgbSource.Rows(groups.bytes(), at, rowBytes, region), mode);
  }

  private static PixelRows unpack(
      RawRecord record,
      RawRecord.Groups groups,
      int last,
      ImageHeader header,
      Region region,
      ImageMode mode)
      throws FormatException {
    PixelFormat format = record.samples() == 1 ? GRAY : RGB;
    DecodedRegion target =
        new DecodedRegion(header, region, mode == ImageMode.GRAY ? format.gray() : format);
    byte[] group = DecodedRegion.allocate(record.unpackedBytes(groups.first()), header);
    int rowBytes = record.width() * record.samples();
    for (int g = groups.first(); g <= last; g++) {
      record.unpack(groups, g, group);
      int top = g * record.rowsOfGroup();
      int count = (int) (record.unpackedBytes(g) / rowBytes);
      for (int i = 0; i < count; i++) {
        target.put(top + i, group, i * rowBytes);
      }
    }
    return target.as(mode);
  }

  /** Gray rows from sample {@code first} on; a sample times {@code factor} is a pixel. */
  private record GrayRows(byte[] grays, int first, int rowBytes, Region region, int factor)
      implements RegionRows {

    @Override
    public void read(int y, int rows, int[] pixels, int offset, int stride) {
      for (int i = 0; i < rows; i++) {
        int from = first + (y + i) * rowBytes;
        int to = offset + i * stride;
        for (int x = 0; x < region.width(); x++) {
          pixels[to + x] = (grays[from + x] & 0xFF) * factor;
        }
      }
    }
  }
}
