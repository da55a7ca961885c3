package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.internal.TiffLayout.Compression;
import java.util.Locale;

/**
 * The offsets and sizes of a TIFF's strips or tiles, in their order: from left to right, then from
 * the top down, then plane by plane.
 *
 * @param rows the rows of each strip or tile; the last strip may have fewer rows, but not the last
 *     tile
 * @param storedRows the rows of each strip or tile that the file claims, maybe more than the image
 *     has
 * @param lengths the bytes of each strip or tile; may be empty if the pixels are not compressed
 */
record TiffStrips(
    int width,
    int rows,
    long storedRows,
    int across,
    int down,
    boolean tiled,
    long[] offsets,
    long[] lengths) {

  private static final int MOST_FILLING = 16 << 20;

  /**
   * The largest factor by which data expand. A code of LZW has 9 bits or more, and yields fewer
   * than 4096 bytes. All other compressions but fax expand less. In fax, a row equal to the row
   * above takes one bit.
   */
  private static final int MOST_EXPANSION = 4096;

  int number(int plane, int row, int column) {
    return (plane * down + row) * across + column;
  }

  int rowsOf(int row, int height) {
    return tiled ? rows : (int) Math.min(rows, height - (long) row * rows);
  }

  /** Returns how many bytes may follow the image's rows in a strip; some writers add rows. */
  int filling(int rowsOfStrip, long rowBytes) {
    long bytes = (storedRows - rowsOfStrip) * rowBytes;
    return bytes > MOST_FILLING ? 0 : (int) bytes;
  }

  String name(int number) {
    return String.format(Locale.ROOT, "%s %d of the TIFF", tiled ? "tile" : "strip", number);
  }

  /**
   * Refuses an image that is too large for its data, before memory is allocated. {@code rowBytes}
   * counts the bytes of a row in all planes.
   */
  void requirePlausible(byte[] data, ImageHeader header, Compression compression, long rowBytes)
      throws FormatException {
    long there = 0;
    for (int i = 0; i < offsets.length; i++) {
      boolean told = i < lengths.length && lengths[i] > 0;
      there += Math.min(data.length, told ? lengths[i] : data.length);
    }
    long least =
        compression == Compression.FAX
            ? header.height() / Byte.SIZE
            : header.height() * rowBytes / MOST_EXPANSION;
    if (least > there) {
      throw new FormatException(
          "the TIFF is truncated: its header claims %d x %d pixels, which %d bytes cannot hold"
              .formatted(header.width(), header.height(), there));
    }
  }

  void requireWithin(byte[] data, int number, long length) throws FormatException {
    long start = offsets[number];
    if (start < 0 || start > data.length - length) {
      throw new FormatException(
          "the TIFF is truncated: its %s %d lies at byte %d and has %d bytes, but the data ends at byte %d"
              .formatted(tiled ? "tile" : "strip", number, start, length, data.length));
    }
  }
}
