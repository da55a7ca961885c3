package io.feedline.formats.image.codec.internal;

import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;

/** The beginning of a PNG (ISO/IEC 15948): its size, and its orientation if it has one. */
final class PngHeader {

  static final String SIGNATURE = "\u0089PNG\r\n\u001A\n";

  /** Offset of the first chunk, which is IHDR. */
  static final int FIRST_CHUNK = 8;

  /** A chunk's length, type and checksum. */
  static final int CHUNK_OVERHEAD = 12;

  private PngHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    if (!bytes.startsWith(FIRST_CHUNK, "\0\0\0\rIHDR")) {
      throw new FormatException(
          "the PNG does not begin with an IHDR chunk of 13 bytes at byte 8, found %d bytes of type %08X"
              .formatted(
                  bytes.u32(FIRST_CHUNK, "the length of IHDR"),
                  bytes.u32(FIRST_CHUNK + 4, "the type of IHDR")));
    }
    long width = bytes.u32(16, "the width of the PNG");
    long height = bytes.u32(20, "the height of the PNG");
    return ImageHeader.of(ImageFormat.PNG, width, height, ColorSpace.PLAIN, orientation(bytes));
  }

  private static Orientation orientation(HeaderBytes bytes) throws FormatException {
    long at = FIRST_CHUNK;
    while (at + CHUNK_OVERHEAD <= bytes.length()) {
      long length = bytes.u32(at, "the length of a chunk");
      if (bytes.startsWith(at + 4, "eXIf")) {
        return TiffHeader.orientationOfExif(bytes.part((int) at + 8, length, true));
      }
      at += length + CHUNK_OVERHEAD;
    }
    return Orientation.NORMAL;
  }
}
