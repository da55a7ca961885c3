package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The layout of pixels in a row of a decoded file, and their form after unpacking. A pixel with one
 * sample becomes a byte that is an index of {@link #colors}. Any other pixel becomes the bytes of
 * its {@link #mode}. Samples of 16 bits keep their upper 8 bits, as in Pillow, unless the mode is
 * GRAY16.
 */
final class PixelFormat {

  private enum Kind {
    /** A sample of 1, 2 or 4 bits, the leftmost pixel in the highest bits of a byte. */
    BITS,
    /** A sample of one byte; a pixel's other bytes are skipped. */
    BYTE,
    RGB,
    /** Red, green and blue that were multiplied by alpha; unpacking divides them by alpha. */
    PREMULTIPLIED,
    CMYK,
    RGBA,
    KEYED,
    WIDE,
    /** Samples of 5 or 6 bits in two bytes, the lower byte first; red has the highest bits. */
    PACKED,
    /** A number of 16 bits. It becomes three bytes: its lower byte, its upper byte, and 0. */
    NUMBER
  }

  private static final int[] NUMBERS = new int[256];

  static {
    Arrays.setAll(NUMBERS, i -> i);
  }

  private final Kind kind;
  private final int pixelBits;
  private final int[] at;
  private final int[] colors;
  private final ImageMode mode;

  private PixelFormat(Kind kind, int pixelBits, int[] colors, int... at) {
    this(kind, ImageMode.RGB, pixelBits, colors, at);
  }

  private PixelFormat(Kind kind, ImageMode mode, int pixelBits, int[] colors, int... at) {
    this.kind = kind;
    this.mode = mode;
    this.pixelBits = pixelBits;
    this.colors = colors;
    this.at = at;
  }

  /** Returns the format of samples of 1, 2, 4 or 8 bits that are indices of {@code colors}. */
  static PixelFormat indexed(int bits, int[] colors) {
    return bits == 8 ? indexed(1, 0, colors) : new PixelFormat(Kind.BITS, bits, colors);
  }

  /**
   * Returns the format of pixels of {@code bytes} bytes, of which only the byte at {@code at} is
   * used, for instance gray without its alpha.
   */
  static PixelFormat indexed(int bytes, int at, int[] colors) {
    return new PixelFormat(Kind.BYTE, 8 * bytes, colors, at);
  }

  static PixelFormat rgb(int bytes, int red, int green, int blue) {
    return new PixelFormat(Kind.RGB, 8 * bytes, null, red, green, blue);
  }

  static PixelFormat premultiplied(int bytes, int red, int green, int blue, int alpha) {
    return new PixelFormat(Kind.PREMULTIPLIED, 8 * bytes, null, red, green, blue, alpha);
  }

  static PixelFormat rgba(int bytes, int red, int green, int blue, int alpha) {
    return new PixelFormat(Kind.RGBA, ImageMode.RGBA, 8 * bytes, null, red, green, blue, alpha);
  }

  /**
   * Returns the format of pixels of three samples, in which pixels of the color {@code key} are
   * transparent. Sample i has {@code sampleBytes} bytes, the upper first, from byte {@code at[i]}
   * of the pixel on.
   */
  static PixelFormat keyed(int bytes, int sampleBytes, int[] at, int... key) {
    return new PixelFormat(
        Kind.KEYED,
        ImageMode.RGBA,
        8 * bytes,
        null,
        at[0],
        at[1],
        at[2],
        sampleBytes,
        key[0],
        key[1],
        key[2]);
  }

  /**
   * Returns the format of pixels with one sample of 16 bits; its bytes are at {@code high} and
   * {@code low} of the pixel's {@code bytes} bytes.
   */
  static PixelFormat wide(int bytes, int high, int low) {
    return new PixelFormat(Kind.WIDE, ImageMode.GRAY16, 8 * bytes, null, high, low);
  }

  /** Returns the format that keeps alpha, of pixels whose samples were multiplied by alpha. */
  PixelFormat withAlpha() {
    if (kind != Kind.PREMULTIPLIED) {
      throw new AssertionError(kind);
    }
    return new PixelFormat(kind, ImageMode.RGBA, pixelBits, null, at);
  }

  /** Returns this format with a gray palette if pixels are indices; otherwise this format. */
  PixelFormat gray() {
    if (colors == null) {
      return this;
    }
    int[] grays = new int[colors.length];
    for (int i = 0; i < grays.length; i++) {
      grays[i] = PackedRgb.luminance(colors[i]);
    }
    return new PixelFormat(kind, ImageMode.GRAY, pixelBits, grays, at);
  }

  PixelFormat ofWholeBytes() {
    return new PixelFormat(Kind.BYTE, mode, 8, colors, 0);
  }

  PixelFormat withColors(int[] colorsWithAlpha) {
    return new PixelFormat(kind, ImageMode.RGBA, pixelBits, colorsWithAlpha, at);
  }

  static PixelFormat cmyk(int bytes, int cyan, int magenta, int yellow, int black) {
    return new PixelFormat(Kind.CMYK, 8 * bytes, null, cyan, magenta, yellow, black);
  }

  /** Returns the format of pixels of 16 bits, of which green has 5 or 6. */
  static PixelFormat packed(int greenBits) {
    return new PixelFormat(Kind.PACKED, 16, null, greenBits);
  }

  static PixelFormat numbers(int bits) {
    return indexed(bits, NUMBERS);
  }

  /**
   * Returns the format of pixels with one sample that is a number, not a color. For a sample of one
   * byte {@code low} equals {@code high}.
   */
  static PixelFormat numbers(int bytes, int low, int high) {
    return low == high
        ? indexed(bytes, low, NUMBERS)
        : new PixelFormat(Kind.NUMBER, 8 * bytes, null, low, high);
  }

  /** Returns the gray levels that the values of samples mean, for samples of up to 8 bits. */
  static int[] grays(int bits, boolean zeroIsWhite) {
    int[] colors = new int[256];
    int last = (1 << bits) - 1;
    for (int i = 0; i <= last; i++) {
      int level = 255 * (zeroIsWhite ? last - i : i) / last;
      colors[i] = PackedRgb.of(level, level, level);
    }
    return colors;
  }

  ImageMode mode() {
    return mode;
  }

  /** Returns the pixel for each index, 0 to 255; null if unpacked pixels are no indices. */
  int @Nullable [] colors() {
    return colors;
  }

  int unpackedBytes() {
    return colors == null ? mode.pixelBytes() : 1;
  }

  /** Returns the number of bytes from one pixel to the next, at least 1. */
  int pixelBytes() {
    return Math.max(1, pixelBits / 8);
  }

  long rowBytes(int width) {
    return ((long) width * pixelBits + 7) / 8;
  }

  /** Unpacks pixels from column {@code x} on, of the row that begins at {@code from}. */
  void unpack(byte[] row, int from, int x, int width, byte[] to, int out) {
    int in = from + x * (pixelBits / 8);
    switch (kind) {
      case BITS -> unpackBits(row, from, x, width, to, out);
      case BYTE -> unpackBytes(row, in + at[0], width, to, out);
      case RGB -> unpackRgb(row, in, width, to, out);
      case PREMULTIPLIED -> unpackPremultiplied(row, in, width, to, out);
      case CMYK -> unpackCmyk(row, in, width, to, out);
      case RGBA -> unpackRgba(row, in, width, to, out);
      case KEYED -> unpackKeyed(row, in, width, to, out);
      case WIDE -> unpackWide(row, in, width, to, out);
      case PACKED -> unpackPacked(row, in, width, to, out);
      case NUMBER -> unpackNumbers(row, in, width, to, out);
    }
  }

  private void unpackBits(byte[] row, int from, int x, int width, byte[] to, int out) {
    int mask = (1 << pixelBits) - 1;
    for (int i = 0; i < width; i++) {
      long bit = (long) (x + i) * pixelBits;
      int shift = 8 - pixelBits - (int) (bit & 7);
      to[out + i] = (byte) ((row[from + (int) (bit >> 3)] >> shift) & mask);
    }
  }

  private void unpackBytes(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    if (step == 1) {
      System.arraycopy(row, in, to, out, width);
      return;
    }
    for (int i = 0; i < width; i++) {
      to[out + i] = row[in + i * step];
    }
  }

  private void unpackRgb(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    int red = at[0];
    int green = at[1];
    int blue = at[2];
    if (step == 3 && red == 0 && green == 1) {
      System.arraycopy(row, in, to, out, 3 * width);
      return;
    }
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 3) {
      to[o] = row[pixel + red];
      to[o + 1] = row[pixel + green];
      to[o + 2] = row[pixel + blue];
    }
  }

  private void unpackPremultiplied(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    int samples = mode.pixelBytes();
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += samples) {
      int alpha = row[pixel + at[3]] & 0xFF;
      for (int c = 0; c < 3; c++) {
        int sample = row[pixel + at[c]] & 0xFF;
        to[o + c] = (byte) (alpha == 0 ? 0 : PackedRgb.divided(sample, alpha));
      }
      if (samples == 4) {
        to[o + 3] = (byte) alpha;
      }
    }
  }

  private void unpackRgba(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 4) {
      for (int c = 0; c < 4; c++) {
        to[o + c] = row[pixel + at[c]];
      }
    }
  }

  private void unpackKeyed(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 4) {
      boolean transparent = true;
      for (int c = 0; c < 3; c++) {
        int sample = row[pixel + at[c]] & 0xFF;
        to[o + c] = (byte) sample;
        int whole = at[3] == 1 ? sample : (sample << 8) | (row[pixel + at[c] + 1] & 0xFF);
        transparent &= whole == at[4 + c];
      }
      to[o + 3] = (byte) (transparent ? 0 : 255);
    }
  }

  private void unpackWide(byte[] row, int in, int width, byte[] to, int out) {
    boolean bigEndian = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
    int first = bigEndian ? at[0] : at[1];
    int second = bigEndian ? at[1] : at[0];
    int step = pixelBits / 8;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 2) {
      to[o] = row[pixel + first];
      to[o + 1] = row[pixel + second];
    }
  }

  private void unpackCmyk(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 3) {
      int paper = 255 - (row[pixel + at[3]] & 0xFF);
      for (int c = 0; c < 3; c++) {
        to[o + c] = (byte) JpegColorConversion.light(row[pixel + at[c]] & 0xFF, paper);
      }
    }
  }

  private void unpackNumbers(byte[] row, int in, int width, byte[] to, int out) {
    int step = pixelBits / 8;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += step, o += 3) {
      to[o] = row[pixel + at[0]];
      to[o + 1] = row[pixel + at[1]];
      to[o + 2] = 0;
    }
  }

  private void unpackPacked(byte[] row, int in, int width, byte[] to, int out) {
    int greenBits = at[0];
    int greens = (1 << greenBits) - 1;
    for (int i = 0, pixel = in, o = out; i < width; i++, pixel += 2, o += 3) {
      int value = (row[pixel] & 0xFF) | (row[pixel + 1] & 0xFF) << 8;
      to[o] = (byte) (((value >> (5 + greenBits)) & 31) * 255 / 31);
      to[o + 1] = (byte) (((value >> 5) & greens) * 255 / greens);
      to[o + 2] = (byte) ((value & 31) * 255 / 31);
    }
  }
}
