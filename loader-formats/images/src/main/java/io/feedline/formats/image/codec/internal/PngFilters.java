package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/**
 * The filters of PNG: a row is stored as differences from a prediction by the same byte of the
 * pixels to the left, above, and above to the left. Bytes outside the image count as 0.
 *
 * <p>Loops keep the bytes of the previous pixel in variables; loops for pixels of three or four
 * bytes keep all of them at once. A loop that reads the left pixel from the row takes twice as
 * long, because it waits for its own writes.
 */
final class PngFilters {

  private PngFilters() {}

  /** Restores a row in place; {@code above} is the start of the restored row above. */
  static void restore(int filter, byte[] bytes, int at, int above, int length, int pixelBytes)
      throws FormatException {
    switch (filter) {
      case 0 -> {}
      case 1 -> addLeft(bytes, at, at + length, pixelBytes);
      case 2 -> {
        for (int i = 0; i < length; i++) {
          bytes[at + i] += bytes[above + i];
        }
      }
      case 3 -> addAverage(bytes, at, at - above, at + length, pixelBytes);
      case 4 -> {
        if (pixelBytes == 3 && length % 3 == 0) {
          addPaeth3(bytes, at, at - above, at + length);
        } else if (pixelBytes == 4 && length % 4 == 0) {
          addPaeth4(bytes, at, at - above, at + length);
        } else {
          addPaeth(bytes, at, at - above, at + length, pixelBytes);
        }
      }
      default ->
          throw new FormatException(
              "the PNG is damaged: a row has filter %d, expected 0 to 4".formatted(filter & 0xFF));
    }
  }

  private static void addLeft(byte[] bytes, int at, int end, int step) {
    for (int channel = 0; channel < step; channel++) {
      int left = 0;
      for (int i = at + channel; i < end; i += step) {
        left += bytes[i];
        bytes[i] = (byte) left;
      }
    }
  }

  private static void addAverage(byte[] bytes, int at, int up, int end, int step) {
    for (int channel = 0; channel < step; channel++) {
      int left = 0;
      for (int i = at + channel; i < end; i += step) {
        left = (bytes[i] + ((left + (bytes[i - up] & 0xFF)) >> 1)) & 0xFF;
        bytes[i] = (byte) left;
      }
    }
  }

  private static void addPaeth(byte[] bytes, int at, int up, int end, int step) {
    for (int channel = 0; channel < step; channel++) {
      int left = 0;
      int corner = 0;
      for (int i = at + channel; i < end; i += step) {
        int above = bytes[i - up] & 0xFF;
        left = (bytes[i] + paeth(left, above, corner)) & 0xFF;
        corner = above;
        bytes[i] = (byte) left;
      }
    }
  }

  private static void addPaeth3(byte[] bytes, int at, int up, int end) {
    int left0 = 0;
    int left1 = 0;
    int left2 = 0;
    int corner0 = 0;
    int corner1 = 0;
    int corner2 = 0;
    for (int i = at; i < end; i += 3) {
      int above0 = bytes[i - up] & 0xFF;
      int above1 = bytes[i - up + 1] & 0xFF;
      int above2 = bytes[i - up + 2] & 0xFF;
      left0 = (bytes[i] + paeth(left0, above0, corner0)) & 0xFF;
      left1 = (bytes[i + 1] + paeth(left1, above1, corner1)) & 0xFF;
      left2 = (bytes[i + 2] + paeth(left2, above2, corner2)) & 0xFF;
      corner0 = above0;
      corner1 = above1;
      corner2 = above2;
      bytes[i] = (byte) left0;
      bytes[i + 1] = (byte) left1;
      bytes[i + 2] = (byte) left2;
    }
  }

  private static void addPaeth4(byte[] bytes, int at, int up, int end) {
    int left0 = 0;
    int left1 = 0;
    int left2 = 0;
    int left3 = 0;
    int corner0 = 0;
    int corner1 = 0;
    int corner2 = 0;
    int corner3 = 0;
    for (int i = at; i < end; i += 4) {
      int above0 = bytes[i - up] & 0xFF;
      int above1 = bytes[i - up + 1] & 0xFF;
      int above2 = bytes[i - up + 2] & 0xFF;
      int above3 = bytes[i - up + 3] & 0xFF;
      left0 = (bytes[i] + paeth(left0, above0, corner0)) & 0xFF;
      left1 = (bytes[i + 1] + paeth(left1, above1, corner1)) & 0xFF;
      left2 = (bytes[i + 2] + paeth(left2, above2, corner2)) & 0xFF;
      left3 = (bytes[i + 3] + paeth(left3, above3, corner3)) & 0xFF;
      corner0 = above0;
      corner1 = above1;
      corner2 = above2;
      corner3 = above3;
      bytes[i] = (byte) left0;
      bytes[i + 1] = (byte) left1;
      bytes[i + 2] = (byte) left2;
      bytes[i + 3] = (byte) left3;
    }
  }

  /**
   * Returns whichever of left, above and corner is nearest to left + above - corner; the first of
   * them if they are equally near. It has no branches, as in stb_image.
   */
  private static int paeth(int left, int above, int corner) {
    int threshold = 3 * corner - (left + above);
    int low = Math.min(left, above);
    int high = Math.max(left, above);
    int lower = high <= threshold ? low : corner;
    return threshold <= low ? high : lower;
  }
}
