package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.PackedRgb;
import io.feedline.formats.store.ImageFormat;
import java.util.Arrays;

/** The headers of a Windows or OS/2 bitmap. */
final class BmpHeader {

  static final int UNCOMPRESSED = 0;
  static final int RUNS_OF_BYTES = 1;
  static final int RUNS_OF_HALF_BYTES = 2;
  private static final int BIT_FIELDS = 3;

  /** The offset of the second header, after the file header; it begins with its own size. */
  private static final int INFO = 14;

  private static final int OS2_SIZE = 12;

  /** The smallest size of a header with a mask for alpha. */
  private static final int MASKS_WITH_ALPHA = 56;

  private final HeaderBytes bytes;
  private final int size;
  private final boolean os2;

  private BmpHeader(HeaderBytes bytes) throws FormatException {
    this.bytes = bytes;
    long headerSize = bytes.u32(INFO, "the size of the BMP header");
    if (!Arrays.asList(12L, 40L, 52L, 56L, 64L, 108L, 124L).contains(headerSize)) {
      throw new FormatException(
          "the BMP header at byte 14 has size %d, expected 12, 40, 52, 56, 64, 108 or 124"
              .formatted(headerSize));
    }
    this.size = (int) headerSize;
    this.os2 = size == OS2_SIZE;
    if (INFO + size > bytes.length()) {
      throw new FormatException(
          "the BMP is truncated: its header ends at byte %d, but the data at byte %d"
              .formatted(INFO + size, bytes.length()));
    }
  }

  static BmpHeader of(byte[] data) throws FormatException {
    return new BmpHeader(HeaderBytes.littleEndian(data));
  }

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    BmpHeader header = new BmpHeader(bytes);
    header.requireKnown();
    // Read as signed, 2^31 or more is negative. A negative height means rows from the top.
    long width = header.os2 ? bytes.u16(INFO + 4, "the BMP's width") : header.i32(4);
    return ImageHeader.of(
        ImageFormat.BMP, width, Math.abs(header.height()), ColorSpace.PLAIN, Orientation.NORMAL);
  }

  private void requireKnown() throws FormatException {
    int bits = bits();
    int compression = compression();
    boolean known =
        switch (compression) {
          case UNCOMPRESSED ->
              bits == 1 || bits == 4 || bits == 8 || bits == 16 || bits == 24 || bits == 32;
          case RUNS_OF_BYTES -> bits == 8;
          case RUNS_OF_HALF_BYTES -> bits == 4;
          case BIT_FIELDS -> bits == 16 || bits == 24 || bits == 32;
          default -> false;
        };
    if (!known) {
      throw new FormatException(
          "a BMP of %d bits a pixel with compression %d is not supported"
              .formatted(bits, compression));
    }
  }

  private long i32(int offset) throws FormatException {
    return (int) bytes.u32(INFO + offset, "a field of the BMP header");
  }

  private long height() throws FormatException {
    return os2 ? bytes.u16(INFO + 6, "the BMP's height") : i32(8);
  }

  boolean fromTheTop() throws FormatException {
    return height() < 0;
  }

  int bits() throws FormatException {
    return bytes.u16(INFO + (os2 ? 10 : 14), "the bits per pixel of the BMP");
  }

  int compression() throws FormatException {
    return os2 ? UNCOMPRESSED : (int) i32(16);
  }

  long pixels() throws FormatException {
    long offset = bytes.u32(10, "the offset of the BMP's rows");
    // If the offset points to the palette itself, Pillow reads the rows behind the palette.
    if (offset == INFO + size && bits() <= 8) {
      return offset + 4L * colors();
    }
    return offset == 0 ? paletteStart() + (bits() <= 8 ? paletteBytes() : 0) : offset;
  }

  private long colors() throws FormatException {
    long colors = os2 ? 0 : bytes.u32(INFO + 32, "the number of colors of the BMP");
    return colors == 0 ? 1L << bits() : colors;
  }

  private int paletteStart() throws FormatException {
    boolean masksFollow = compression() == BIT_FIELDS && size == 40;
    return INFO + size + (masksFollow ? 12 : 0);
  }

  private long paletteBytes() throws FormatException {
    return (os2 ? 3 : 4) * colors();
  }

  /** Returns the layout of pixels in a row for a mode; for GRAY16 the layout for RGB. */
  PixelFormat format(ImageMode mode) throws FormatException {
    PixelFormat format = format();
    return switch (mode) {
      case GRAY -> format.gray();
      case RGBA -> compression() == BIT_FIELDS && bits() == 32 ? withAlpha(format) : format;
      default -> format;
    };
  }

  /** Returns the mode that keeps most of the data; with a palette, even of grays, this is RGB. */
  ImageMode mode() throws FormatException {
    boolean masks = compression() == BIT_FIELDS && bits() == 32;
    return masks && withAlpha(format()).mode() == ImageMode.RGBA ? ImageMode.RGBA : ImageMode.RGB;
  }

  /** Adds alpha: as in Pillow, at the fourth mask or, if all masks are 0, in the fourth byte. */
  private PixelFormat withAlpha(PixelFormat format) throws FormatException {
    long alpha = size >= MASKS_WITH_ALPHA ? mask(3) : 0;
    if (alpha == 0 && (mask(0) | mask(1) | mask(2)) == 0) {
      return PixelFormat.rgba(4, 2, 1, 0, 3);
    }
    int alphaAt = byteOf(alpha);
    return alphaAt < 0
        ? format
        : PixelFormat.rgba(4, byteOf(mask(0)), byteOf(mask(1)), byteOf(mask(2)), alphaAt);
  }

  private PixelFormat format() throws FormatException {
    int bits = bits();
    if (bits <= 8) {
      return PixelFormat.indexed(bits, palette());
    }
    if (compression() == BIT_FIELDS) {
      return ofMasks(bits);
    }
    return bits == 16 ? PixelFormat.packed(5) : PixelFormat.rgb(bits / 8, 2, 1, 0);
  }

  /**
   * Returns the layout of a row of indices of the palette.
   *
   * @throws FormatException if the pixels are colors, not indices
   */
  PixelFormat ids() throws FormatException {
    int bits = bits();
    if (bits > 8) {
      throw IdDecoder.refusal("a BMP of %d bits a pixel, without a palette".formatted(bits));
    }
    return PixelFormat.numbers(bits);
  }

  /** Returns the palette's colors; black for the indices that the palette lacks, as in Pillow. */
  private int[] palette() throws FormatException {
    long count = colors();
    if (count > 256) {
      throw new FormatException(
          "the BMP has a palette of %d colors, expected 256 or fewer".formatted(count));
    }
    int[] colors =
        bytes.palette(paletteStart(), (int) count, os2 ? 3 : 4, 2, "a color of the BMP's palette");
    boolean grays = bits() == 8;
    for (int i = 0; i < count; i++) {
      grays &= colors[i] == PackedRgb.of(i, i, i);
    }
    // In Pillow, indices are gray levels if all colors are gray, even indices beyond the palette.
    return grays ? PixelFormat.grays(8, false) : colors;
  }

  private PixelFormat ofMasks(int bits) throws FormatException {
    long red = mask(0);
    long green = mask(1);
    long blue = mask(2);
    if (bits == 16 && blue == 0x1F) {
      if (red == 0xF800 && green == 0x7E0) {
        return PixelFormat.packed(6);
      } else if (red == 0x7C00 && green == 0x3E0) {
        return PixelFormat.packed(5);
      }
    }
    if (bits == 32 && red == 0 && green == 0 && blue == 0) {
      return PixelFormat.rgb(4, 2, 1, 0);
    }
    int redAt = byteOf(red);
    int greenAt = byteOf(green);
    int blueAt = byteOf(blue);
    int last = bits / 8 - 1;
    boolean whole = redAt >= 0 && greenAt >= 0 && blueAt >= 0;
    boolean different = redAt != greenAt && greenAt != blueAt && redAt != blueAt;
    if (bits == 16 || !whole || !different || Math.max(redAt, Math.max(greenAt, blueAt)) > last) {
      throw new FormatException(
          "the masks %08X, %08X and %08X of the BMP's %d bits a pixel are not supported"
              .formatted(red, green, blue, bits));
    }
    return PixelFormat.rgb(bits / 8, redAt, greenAt, blueAt);
  }

  private long mask(int i) throws FormatException {
    // The masks follow a short header, and lie at the same place within a longer one.
    return bytes.u32(INFO + 40 + 4L * i, "a mask of the BMP");
  }

  /** Returns the number of the byte that a mask selects, or -1 if it selects no whole byte. */
  private static int byteOf(long mask) {
    int shift = Long.numberOfTrailingZeros(mask);
    return shift % 8 == 0 && shift < 32 && mask >>> shift == 0xFF ? shift / 8 : -1;
  }
}
