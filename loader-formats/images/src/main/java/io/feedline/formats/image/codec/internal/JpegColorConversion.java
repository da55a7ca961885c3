package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/** Converts JPEG components to RGB as libjpeg does (jdcolor.c), and inks as Pillow does. */
final class JpegColorConversion {

  private static final int SCALE_BITS = 16;
  private static final int HALF = 1 << (SCALE_BITS - 1);

  /** The bits to flip in three packed samples, so that each becomes 255 minus itself. */
  private static final int INVERTED = 0xFFFFFF;

  private JpegColorConversion() {}

  /** Converts a row of 1, 3 or 4 components to packed RGB. */
  static void toRgb(byte[][] from, ColorSpace color, int width, int[] to, int at) {
    if (from.length == 1) {
      for (int i = 0; i < width; i++) {
        to[at + i] = (from[0][i] & 0xFF) * 0x010101;
      }
      return;
    }
    if (color == ColorSpace.YCBCR || color == ColorSpace.YCCK) {
      convert(from[0], from[1], from[2], width, to, at);
    } else {
      for (int i = 0; i < width; i++) {
        to[at + i] = PackedRgb.of(from[0][i] & 0xFF, from[1][i] & 0xFF, from[2][i] & 0xFF);
      }
    }
    if (from.length == 4) {
      // Adobe stores inks inverted, and Pillow assumes this of each JPEG. In YCCK, libjpeg inverts
      // the inks once more, so the two inversions cancel each other.
      print(from[3], color == ColorSpace.YCCK ? 0 : INVERTED, width, to, at);
    }
  }

  private static void convert(byte[] luma, byte[] cbs, byte[] crs, int width, int[] to, int at) {
    for (int i = 0; i < width; i++) {
      int y = luma[i] & 0xFF;
      int cb = (cbs[i] & 0xFF) - 128;
      int cr = (crs[i] & 0xFF) - 128;
      to[at + i] =
          PackedRgb.of(
              clamp(y + ((91881 * cr + HALF) >> SCALE_BITS)),
              clamp(y + ((-22554 * cb - 46802 * cr + HALF) >> SCALE_BITS)),
              clamp(y + ((116130 * cb + HALF) >> SCALE_BITS)));
    }
  }

  /**
   * Replaces inks by packed RGB, as printed on paper of the brightness {@code papers}. First
   * inverts the inks if {@code inversion} is {@link #INVERTED}, but not if it is 0.
   */
  private static void print(byte[] papers, int inversion, int width, int[] inks, int at) {
    for (int i = 0; i < width; i++) {
      int paper = papers[i] & 0xFF;
      int ink = inks[at + i] ^ inversion;
      inks[at + i] =
          PackedRgb.of(
              light(ink & 0xFF, paper),
              light((ink >> 8) & 0xFF, paper),
              light((ink >> 16) & 0xFF, paper));
    }
  }

  /** Returns the light that remains when an ink covers paper of a brightness, all from 0 to 255. */
  static int light(int ink, int paper) {
    int product = ink * paper + 128;
    return clamp(paper - (((product >> 8) + product) >> 8));
  }

  private static int clamp(int value) {
    return Math.max(0, Math.min(255, value));
  }
}
