package io.feedline.formats.image;

import io.feedline.formats.store.FormatException;
import java.util.Locale;

/**
 * Where the strips or tiles of a TIFF lie: from left to right, then from the top down, then plane
 * by plane.
 *
 * @param width columns of each
 * @param rows of each; of the last strips fewer, of tiles never
 * @param across how many lie beside each other
 * @param down how many lie below each other
 * @param storedRows of each as the file says, which may be more than the image has
 * @param tiled whether they are tiles
 * @param offsets where they begin
 * @param lengths how many bytes each has; where nothing is compressed it need not be there
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

  /** Its number, counted over all planes. */
  int number(int plane, int row, int column) {
    return (plane * down + row) * across + column;
  }

  /** How many rows the strips or tiles of a row of them have. */
  int rowsOf(int row, int height) {
    return tiled ? rows : (int) Math.min(rows, height - (long) row * rows);
  }

  /**
   * How many bytes a strip may have that belong to no row of the image: some writers fill up the
   * last one.
   */
  int filling(int rowsOfStrip, long rowBytes) {
    long bytes = (storedRows - rowsOfStrip) * rowBytes;
    return bytes > MOST_FILLING ? 0 : (int) bytes;
  }

  /** What one is called in errors. */
  String name(int number) {
    return String.format(Locale.ROOT, "%s %d of the TIFF", tiled ? "tile" : "strip", number);
  }

  /**
   * Checks that one lies within the data.
   *
   * @param length what it needs to have
   * @throws FormatException if it does not
   */
  void requireWithin(byte[] data, int number, long length) throws FormatException {
    long end = offsets[number] + length;
    if (end > data.length) {
      throw new FormatException(
          "the TIFF is truncated: its %s %d ends at byte %d, but the data at byte %d"
              .formatted(tiled ? "tile" : "strip", number, end, data.length));
    }
  }
}
