package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;

/**
 * A decoder of PNG in Java that uses the JDK's zlib. It refuses damage, and leaves gamma, alpha and
 * depth as stored, as Pillow does. For any region the image is read to its end, so that damage
 * anywhere is found.
 */
final class PngDecoder implements PixelDecoder, IdDecoder {

  /** The largest number of bytes to which Deflate can expand one byte. */
  private static final int MOST_INFLATION = 1032;

  /** The number of bytes up to which rows are inflated together, to save calls of zlib. */
  private static final int BUFFER_BYTES = 128 << 10;

  /** Each pass of Adam7: its first column and row, and the steps to the next column and row. */
  private static final int[][] PASSES = {
    {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
  };

  private static final int[][] ONE_PASS = {{0, 0, 1, 1}};

  @Override
  public PixelRows decode(byte[] data, ImageHeader header, Region region, ImageMode mode)
      throws FormatException {
    PngChunks chunks = PngChunks.read(data);
    return decode(data, header, region, chunks, chunks.format(mode)).as(mode);
  }

  @Override
  public PixelRows decodeIds(byte[] data, ImageHeader header, Region region)
      throws FormatException {
    PngChunks chunks = PngChunks.read(data);
    return decode(data, header, region, chunks, chunks.ids());
  }

  private static DecodedRegion decode(
      byte[] data, ImageHeader header, Region region, PngChunks chunks, PixelFormat format)
      throws FormatException {
    requirePlausible(chunks, format, header);
    DecodedRegion target = new DecodedRegion(header, region, format);
    try (ZlibInput input = new ZlibInput(data, chunks.parts(), "the PNG's compressed data")) {
      for (int[] pass : chunks.interlaced() ? PASSES : ONE_PASS) {
        decodePass(input, format, header, pass, target);
      }
      // Some writers append a few bytes, which libpng ignores.
      input.finish(BUFFER_BYTES);
    }
    return target;
  }

  private static void requirePlausible(PngChunks chunks, PixelFormat format, ImageHeader header)
      throws FormatException {
    long needed = header.height() * format.rowBytes(header.width());
    if (needed / MOST_INFLATION > chunks.compressedBytes()) {
      throw new FormatException(
          "the PNG is incomplete: its header claims %d x %d pixels, which %d compressed bytes cannot hold"
              .formatted(header.width(), header.height(), chunks.compressedBytes()));
    }
  }

  private static void decodePass(
      ZlibInput input, PixelFormat format, ImageHeader header, int[] pass, DecodedRegion target)
      throws FormatException {
    int width = (header.width() - pass[0] + pass[2] - 1) / pass[2];
    int height = (header.height() - pass[1] + pass[3] - 1) / pass[3];
    if (width <= 0 || height <= 0) {
      return;
    }
    // A row begins with a byte that names its filter.
    long length = 1 + format.rowBytes(width);
    int rows = (int) Math.max(1, Math.min(height, BUFFER_BYTES / length));
    byte[] buffer = DecodedRegion.allocate((rows + 1) * length, header);
    byte[] unpacked =
        pass[2] == 1 ? null : DecodedRegion.allocate((long) width * format.unpackedBytes(), header);
    int step = (int) length;
    for (int y = 0; y < height; y += rows) {
      int count = Math.min(rows, height - y);
      input.read(buffer, step, count * step);
      for (int i = 1; i <= count; i++) {
        int at = i * step + 1;
        PngFilters.restore(buffer[at - 1], buffer, at, at - step, step - 1, format.pixelBytes());
        int row = pass[1] + (y + i - 1) * pass[3];
        if (unpacked == null) {
          target.put(row, buffer, at);
        } else if (target.wants(row)) {
          format.unpack(buffer, at, 0, width, unpacked, 0);
          target.scatter(row, pass[0], pass[2], width, unpacked);
        }
      }
      System.arraycopy(buffer, count * step, buffer, 0, step);
    }
  }
}
