package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.pixel.internal.PackedRgb;

/**
 * The conversion of a JPEG's stored components to RGB, in libjpeg's arithmetic (jdcolor.c) and, for
 * inks, Pillow's (Convert.c): for readers that deliver components as they are.
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
   * @param from 1, 3 or 4 components a pixel, interleaved
   * @param components number of components
   * @param color the meaning of the components
   * @param to receives packed pixels from {@code at}
   */
  static void toRgb(int[] from, int components, ColorSpace color, int width, int[] to, int at) {
    int out = at;
    for (int in = 0; in < width * components; in += components, out++) {
      if (components == 1) {
        to[out] = PackedRgb.of(from[in], from[in], from[in]);
        continue;
      }
      int first = from[in];
      int second = from[in + 1];
      int third = from[in + 2];
      if (color == ColorSpace.YCBCR || color == ColorSpace.YCCK) {
        int y = first;
        int cb = second;
        int cr = third;
        first = clamp(y + CR_RED[cr]);
        second = clamp(y + ((CB_GREEN[cb] + CR_GREEN[cr]) >> SCALE_BITS));
        third = clamp(y + CB_BLUE[cb]);
      }
      if (components == 4) {
        // Adobe stores inks inverted, and Pillow takes every JPEG for Adobe's. YCCK stores the
        // complement of the inks, which libjpeg inverts once more.
        boolean complement = color == ColorSpace.YCCK;
        int paper = from[in + 3];
        first = light(complement ? first : 255 - first, paper);
        second = light(complement ? second : 255 - second, paper);
        third = light(complement ? third : 255 - third, paper);
      }
      to[out] = PackedRgb.of(first, second, third);
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
