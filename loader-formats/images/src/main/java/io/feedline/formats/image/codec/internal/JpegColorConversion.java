package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/**
 * The conversion of a JPEG's stored components to RGB, in libjpeg's arithmetic (jdcolor.c) and, for
 * inks, Pillow's (Convert.c): for components as they are stored.
 */
final class JpegColorConversion {

  private static final int SCALE_BITS = 16;
  private static final int HALF = 1 << (SCALE_BITS - 1);

  /**
   * Amounts that Cr adds to red, Cb to blue, and both to green; those for green are still scaled.
   */
  private static final int[] CR_RED = new int[256];

  private static final int[] CB_BLUE = new int[256];
  private static final int[] CR_GREEN = new int[256];
  private static final int[] CB_GREEN = new int[256];

  static {
    for (int i = 0; i < 256; i++) {
      int difference = i - 128;
      CR_RED[i] = (fixed(1.40200) * difference + HALF) >> SCALE_BITS;
      CB_BLUE[i] = (fixed(1.77200) * difference + HALF) >> SCALE_BITS;
      CR_GREEN[i] = -fixed(0.71414) * difference;
      CB_GREEN[i] = -fixed(0.34414) * difference + HALF;
    }
  }

  private JpegColorConversion() {}

  private static int fixed(double factor) {
    return (int) (factor * (1 << SCALE_BITS) + 0.5);
  }

  /**
   * Converts a row of pixels.
   *
   * @param from a row of each component: 1, 3 or 4
   * @param color the meaning of the components
   * @param to receives packed pixels from {@code at}
   */
  static void toRgb(byte[][] from, ColorSpace color, int width, int[] to, int at) {
    if (from.length == 1) {
      for (int i = 0; i < width; i++) {
        to[at + i] = (from[0][i] & 0xFF) * 0x010101;
      }
      return;
    }
    boolean converted = color == ColorSpace.YCBCR || color == ColorSpace.YCCK;
    for (int i = 0; i < width; i++) {
      int first = from[0][i] & 0xFF;
      int second = from[1][i] & 0xFF;
      int third = from[2][i] & 0xFF;
      if (converted) {
        int y = first;
        int cb = second;
        int cr = third;
        first = clamp(y + CR_RED[cr]);
        second = clamp(y + ((CB_GREEN[cb] + CR_GREEN[cr]) >> SCALE_BITS));
        third = clamp(y + CB_BLUE[cb]);
      }
      if (from.length == 4) {
        // Adobe stores inks inverted, and Pillow takes every JPEG for Adobe's. YCCK stores the
        // complement of the inks, which libjpeg inverts once more.
        boolean complement = color == ColorSpace.YCCK;
        int paper = from[3][i] & 0xFF;
        first = light(complement ? first : 255 - first, paper);
        second = light(complement ? second : 255 - second, paper);
        third = light(complement ? third : 255 - third, paper);
      }
      to[at + i] = PackedRgb.of(first, second, third);
    }
  }

  /** Returns the light that an ink leaves of the light that black ink lets through. */
  static int light(int ink, int paper) {
    int product = ink * paper + 128;
    return clamp(paper - (((product >> 8) + product) >> 8));
  }

  private static int clamp(int value) {
    return Math.max(0, Math.min(255, value));
  }
}
