package io.feedline.formats.image.transform.internal;

/**
 * The conversion to Pillow's hue, saturation and value, of 8 bits each, and back. Pillow mixes
 * float32 and float64; each cast below is a rounding in Pillow.
 */
final class Hsv {
  /** The sixth of the color circle that contains each hue, 0 to 6. */
  private static final byte[] SIXTH = new byte[256];

  /** The position of each hue in its sixth, 0 to 1. */
  private static final float[] INTO = new float[256];

  private static final float[] SATURATION = new float[256];

  static {
    for (int i = 0; i < 256; i++) {
      double sixths = (float) i * 6.0 / 255.0;
      SIXTH[i] = (byte) Math.floor(sixths);
      INTO[i] = (float) (sixths - SIXTH[i]);
      SATURATION[i] = (float) (i / 255.0);
    }
  }

  private Hsv() {}

  /** Adds {@code shift} to the hue of each pixel, modulo 256. */
  static void turn(byte[] rgb, int length, int shift) {
    for (int i = 0; i < length; i += 3) {
      int red = rgb[i] & 0xFF;
      int green = rgb[i + 1] & 0xFF;
      int blue = rgb[i + 2] & 0xFF;
      int value = Math.max(red, Math.max(green, blue));
      int least = Math.min(red, Math.min(green, blue));
      if (least != value) {
        int hue = hue(red, green, blue, value, least);
        int saturation = (int) ((float) (value - least) / value * 255.0);
        put(rgb, i, (hue + shift) & 0xFF, saturation, value);
      }
    }
  }

  private static int hue(int red, int green, int blue, int most, int least) {
    float range = most - least;
    float r = (most - red) / range;
    float g = (most - green) / range;
    float b = (most - blue) / range;
    float sixths;
    if (red == most) {
      sixths = b - g;
    } else if (green == most) {
      sixths = (float) (2.0 + r - b);
    } else {
      sixths = (float) (4.0 + g - r);
    }
    double turns = sixths / 6.0 + 1.0;
    return (int) ((float) (turns >= 1 ? turns - 1 : turns) * 255.0);
  }

  private static void put(byte[] rgb, int at, int hue, int saturation, int value) {
    if (saturation == 0) {
      rgb[at] = (byte) value;
      rgb[at + 1] = (byte) value;
      rgb[at + 2] = (byte) value;
      return;
    }
    float s = SATURATION[saturation];
    float into = INTO[hue];
    byte v = (byte) value;
    byte p = (byte) Math.round(value * (1.0 - s));
    byte q = (byte) Math.round(value * (1.0 - s * into));
    byte t = (byte) Math.round(value * (1.0 - s * (1.0 - into)));
    switch (SIXTH[hue]) {
      case 1 -> put(rgb, at, q, v, p);
      case 2 -> put(rgb, at, p, v, t);
      case 3 -> put(rgb, at, p, q, v);
      case 4 -> put(rgb, at, t, p, v);
      case 5 -> put(rgb, at, v, p, q);
      // A hue of 255 is the whole circle, so its sixth is 6.
      default -> put(rgb, at, v, t, p);
    }
  }

  private static void put(byte[] rgb, int at, byte red, byte green, byte blue) {
    rgb[at] = red;
    rgb[at + 1] = green;
    rgb[at + 2] = blue;
  }
}
