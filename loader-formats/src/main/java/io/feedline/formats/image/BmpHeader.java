package io.feedline.formats.image;

import io.feedline.formats.image.ImageHeader.Colour;

/** The two headers of a Windows or OS/2 bitmap, and whether its rows are all there. */
final class BmpHeader {

  /**
   * Where the header that follows the file header of 14 bytes begins; its first field is its size.
   */
  private static final int INFO = 14;

  private static final int OS2_SIZE = 12;
  private static final int UNCOMPRESSED = 0;
  private static final int BIT_FIELDS = 3;

  private BmpHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws ImageFormatException {
    long headerSize = bytes.u32(INFO, "the size of the BMP header");
    if (headerSize != OS2_SIZE && (headerSize < 40 || headerSize > 124)) {
      throw new ImageFormatException(
          "the BMP header at byte 14 has size %d, expected 12 or 40 to 124".formatted(headerSize));
    }
    boolean os2 = headerSize == OS2_SIZE;
    int bits = bytes.u16(os2 ? INFO + 10 : INFO + 14, "the bits per pixel of the BMP");
    switch (bits) {
      case 1, 2, 4, 8, 16, 24, 32 -> {}
      default ->
          throw new ImageFormatException("a BMP of %d bits per pixel is not known".formatted(bits));
    }
    long width = width(bytes, os2);
    // A negative height means that the rows are stored from the top.
    long height = Math.abs(height(bytes, os2));
    return ImageHeader.of(
        ImageFormat.BMP,
        width,
        height,
        bits == 16 ? Colour.PACKED_16 : Colour.PLAIN,
        Orientation.NORMAL);
  }

  /**
   * Checks that no row is missing, where that can be told without decoding.
   *
   * @throws ImageFormatException if the data ends before the last row
   */
  static void requireComplete(byte[] data) throws ImageFormatException {
    HeaderBytes bytes = HeaderBytes.littleEndian(data);
    boolean os2 = bytes.u32(INFO, "the size of the BMP header") == OS2_SIZE;
    long compression = os2 ? UNCOMPRESSED : bytes.u32(INFO + 16, "the compression of the BMP");
    if (compression != UNCOMPRESSED && compression != BIT_FIELDS) {
      return;
    }
    int bits = bytes.u16(os2 ? INFO + 10 : INFO + 14, "the bits per pixel of the BMP");
    long stride = (width(bytes, os2) * bits + 31) / 32 * 4;
    long end =
        bytes.u32(10, "the offset of the BMP's rows") + stride * Math.abs(height(bytes, os2));
    // Some writers leave out the padding of the last row.
    if (data.length < end - 3) {
      throw new ImageFormatException(
          "the BMP is truncated: its rows end at byte %d, but the data at byte %d"
              .formatted(end, data.length));
    }
  }

  private static long width(HeaderBytes bytes, boolean os2) throws ImageFormatException {
    return os2 ? bytes.u16(INFO + 4, "the BMP's width") : (int) bytes.u32(INFO + 4, "the width");
  }

  private static long height(HeaderBytes bytes, boolean os2) throws ImageFormatException {
    return os2 ? bytes.u16(INFO + 6, "the BMP's height") : (int) bytes.u32(INFO + 8, "the height");
  }
}
