package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/**
 * A reader of BMP's run-length encodings, RLE8 and RLE4 (of half bytes). Skipped pixels have the
 * value 0. Runs beyond the end of a row are cut as Pillow cuts them.
 */
final class BmpRuns {

  private static final int END_OF_ROW = 0;
  private static final int END_OF_IMAGE = 1;
  private static final int SKIP = 2;

  private final byte[] data;
  private final int width;
  private final boolean halves;
  private long at;

  BmpRuns(byte[] data, long start, int width, boolean halves) {
    this.data = data;
    this.at = start;
    this.width = width;
    this.halves = halves;
  }

  /**
   * Restores the pixels, one byte for each, in the stored order of rows; the array must contain
   * zeros.
   *
   * @throws FormatException if the runs end before the last pixel
   */
  void restore(byte[] pixels, int count) throws FormatException {
    int x = 0;
    int out = 0;
    while (out < count) {
      int run = next();
      int value = next();
      if (run > 0) {
        int length = Math.min(Math.min(run, Math.max(0, width - x)), count - out);
        for (int i = 0; i < length; i++) {
          pixels[out + i] = (byte) (halves ? half(value, i) : value);
        }
        out += length;
        x += length;
      } else if (value == END_OF_ROW) {
        out += (width - out % width) % width;
        x = 0;
      } else if (value == END_OF_IMAGE) {
        break;
      } else if (value == SKIP) {
        int right = next();
        long skipped = right + (long) next() * width;
        out = (int) Math.min(count, out + skipped);
        x = out % width;
      } else {
        out = copy(pixels, out, count, value);
        x += value;
      }
    }
    if (out < count) {
      throw new FormatException(
          "the BMP is incomplete: its runs end at byte %d with %d of %d pixels"
              .formatted(at, out, count));
    }
  }

  /** Copies values that are stored singly; the bytes of these values end at an even offset. */
  private int copy(byte[] pixels, int from, int count, int values) throws FormatException {
    int value = 0;
    int out = from;
    // The file may end with the last pixel.
    for (int i = 0; i < values && out < count; i++) {
      if (!halves || i % 2 == 0) {
        value = next();
      }
      pixels[out++] = (byte) (halves ? half(value, i) : value);
    }
    at += at & 1;
    return out;
  }

  private static int half(int value, int i) {
    return (i & 1) == 0 ? value >> 4 : value & 15;
  }

  private int next() throws FormatException {
    if (at >= data.length) {
      throw new FormatException(
          "the BMP is truncated: its runs do not end before byte %d".formatted(data.length));
    }
    return data[(int) at++] & 0xFF;
  }
}
