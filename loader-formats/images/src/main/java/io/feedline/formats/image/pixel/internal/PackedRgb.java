package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Converts pixels between two forms: bytes, with 16-bit samples in the machine's byte order, and
 * packed pixels of one int each, as in {@link PixelRows}.
 */
public final class PackedRgb {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.nativeOrder());

  private PackedRgb() {}

  public static int of(int red, int green, int blue) {
    return red | green << 8 | blue << 16;
  }

  /** Returns the luminance by ITU-R 601-2; ignores alpha. */
  public static int luminance(int pixel) {
    int red = pixel & 0xFF;
    int green = (pixel >> 8) & 0xFF;
    int blue = (pixel >> 16) & 0xFF;
    return luminance(red, green, blue);
  }

  /** Returns the luminance by ITU-R 601-2, computed with 16 fractional bits as in Pillow. */
  public static int luminance(int red, int green, int blue) {
    return (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
  }

  public static int luminanceOf(int color) {
    return luminance(of((color >> 16) & 0xFF, (color >> 8) & 0xFF, color & 0xFF));
  }

  /** Returns the colors of a pixel multiplied by its alpha; the result's alpha is 0. */
  public static int multiplied(int pixel) {
    int alpha = pixel >>> 24;
    return of(
        multiplied(pixel & 0xFF, alpha),
        multiplied((pixel >> 8) & 0xFF, alpha),
        multiplied((pixel >> 16) & 0xFF, alpha));
  }

  /** Returns the product divided by 255, rounded: Pillow's MULDIV255. */
  private static int multiplied(int sample, int alpha) {
    int product = sample * alpha + 128;
    return ((product >> 8) + product) >> 8;
  }

  /** Returns the pixel with its colors divided by its alpha; alpha does not change. */
  public static int divided(int pixel) {
    int alpha = pixel >>> 24;
    if (alpha == 0 || alpha == 255) {
      return pixel;
    }
    return (alpha << 24)
        | of(
            divided(pixel & 0xFF, alpha),
            divided((pixel >> 8) & 0xFF, alpha),
            divided((pixel >> 16) & 0xFF, alpha));
  }

  /** Divides a sample by its alpha, 1 to 255. */
  public static int divided(int sample, int alpha) {
    return Math.min(255, 255 * sample / alpha);
  }

  /** Packs pixels of a mode, stored without gaps, into one int each. */
  public static void pack(ImageMode mode, byte[] bytes, int from, int[] pixels, int to, int count) {
    switch (mode) {
      case RGB -> pack(bytes, from, pixels, to, count);
      case GRAY -> {
        for (int x = 0; x < count; x++) {
          pixels[to + x] = bytes[from + x] & 0xFF;
        }
      }
      case RGBA -> {
        for (int x = 0; x < count; x++) {
          pixels[to + x] = (int) INT.get(bytes, from + Integer.BYTES * x);
        }
      }
      case GRAY16 -> {
        for (int x = 0; x < count; x++) {
          pixels[to + x] = (short) SHORT.get(bytes, from + Short.BYTES * x) & 0xFFFF;
        }
      }
    }
  }

  /** Loads three bytes and, in the uppermost byte, the array's next byte, which must exist. */
  public static int load(byte[] rgb, int from) {
    return (int) INT.get(rgb, from);
  }

  /**
   * Stores three bytes, and overwrites the next byte of the array, which must exist and be unused
   * or written later.
   */
  public static void store(int pixel, byte[] rgb, int to) {
    INT.set(rgb, to, pixel);
  }

  /** Packs pixels of three bytes into one int each. */
  public static void pack(byte[] rgb, int from, int[] pixels, int to, int count) {
    // One load of 4 bytes takes a third of the time of 3 loads, but must end within the array.
    int last = count - 1;
    for (int x = 0, i = from; x < last; x++, i += 3) {
      pixels[to + x] = (int) INT.get(rgb, i) & 0xFFFFFF;
    }
    int i = from + 3 * last;
    pixels[to + last] = of(rgb[i] & 0xFF, rgb[i + 1] & 0xFF, rgb[i + 2] & 0xFF);
  }

  /** Unpacks pixels to four bytes each. */
  public static void unpackWithAlpha(int[] pixels, byte[] rgba, int count) {
    for (int x = 0; x < count; x++) {
      INT.set(rgba, Integer.BYTES * x, pixels[x]);
    }
  }

  /** Unpacks pixels to three bytes each. */
  public static void unpack(int[] pixels, int from, byte[] rgb, int to, int count) {
    // Each store writes one byte too many, which the next store overwrites.
    int last = count - 1;
    for (int x = 0, i = to; x < last; x++, i += 3) {
      INT.set(rgb, i, pixels[from + x]);
    }
    int i = to + 3 * last;
    int pixel = pixels[from + last];
    rgb[i] = (byte) pixel;
    rgb[i + 1] = (byte) (pixel >> 8);
    rgb[i + 2] = (byte) (pixel >> 16);
  }
}
