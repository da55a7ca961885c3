package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;

/**
 * Converts luminance and color differences in a TIFF to RGB (TIFF revision 6.0, section 21), as
 * libtiff does (tif_color.c). The samples are stored in units: the luminance of some pixels, row by
 * row, and then one pair of differences, which all these pixels share.
 */
final class TiffYcbcr {

  private static final int SHIFT = 16;
  private static final int HALF = 1 << (SHIFT - 1);

  private final int across;
  private final int down;
  private final int[] luminance = new int[256];
  private final int[] crRed = new int[256];
  private final int[] crGreen = new int[256];
  private final int[] cbGreen = new int[256];
  private final int[] cbBlue = new int[256];

  /**
   * Prepares the conversion.
   *
   * @param subsampling the pixels of a unit, across (1, 2 or 4) and down (1 or 2)
   * @param coefficients the shares of red, green and blue in luminance
   * @param references the values that mean black and white, for each of the three samples
   */
  TiffYcbcr(long[] subsampling, float[] coefficients, float[] references) throws FormatException {
    this.across = (int) subsampling[0];
    this.down = (int) subsampling[1];
    // With units of 4 x 4 pixels libtiff loses the last two bytes of a strip.
    if ((across != 1 && across != 2 && across != 4) || (down != 1 && down != 2)) {
      throw new FormatException(
          "the TIFF has color differences of %d x %d pixels, which are not supported"
              .formatted(subsampling[0], subsampling[1]));
    }
    float red = coefficients[0];
    float green = coefficients[1];
    float blue = coefficients[2];
    float fromCr = 2 - 2 * red;
    float fromCb = 2 - 2 * blue;
    int toRed = fixed(fromCr);
    int toGreenCr = -fixed(red * fromCr / green);
    int toBlue = fixed(fromCb);
    int toGreenCb = -fixed(blue * fromCb / green);
    for (int i = 0; i < 256; i++) {
      int cr = level(i - 128, references[4] - 128, references[5] - 128, 127);
      int cb = level(i - 128, references[2] - 128, references[3] - 128, 127);
      crRed[i] = (toRed * cr + HALF) >> SHIFT;
      cbBlue[i] = (toBlue * cb + HALF) >> SHIFT;
      crGreen[i] = toGreenCr * cr;
      cbGreen[i] = toGreenCb * cb + HALF;
      luminance[i] = level(i, references[0], references[1], 255);
    }
  }

  private static int fixed(float factor) {
    return (int) (Math.max(0, Math.min(2, factor)) * (1 << SHIFT) + 0.5);
  }

  private static int level(int code, float black, float white, int range) {
    float span = white - black == 0 ? 1 : white - black;
    float level = (code - (int) black) * (float) range / span;
    return (int) Math.max(-128 * 32, Math.min(128 * 32, level));
  }

  int down() {
    return down;
  }

  long rowBytes(int width) {
    return (long) ((width + across - 1) / across) * (across * down + 2);
  }

  void toRgb(byte[] units, int row, int width, byte[] rgb) {
    int unit = across * down + 2;
    for (int x = 0, out = 0; x < width; x++, out += 3) {
      int at = x / across * unit;
      int y = luminance[units[at + row * across + x % across] & 0xFF];
      int cb = units[at + unit - 2] & 0xFF;
      int cr = units[at + unit - 1] & 0xFF;
      rgb[out] = clamp(y + crRed[cr]);
      rgb[out + 1] = clamp(y + ((cbGreen[cb] + crGreen[cr]) >> SHIFT));
      rgb[out + 2] = clamp(y + cbBlue[cb]);
    }
  }

  private static byte clamp(int value) {
    return (byte) Math.max(0, Math.min(255, value));
  }
}
