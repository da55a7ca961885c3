package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.store.ImageFormat;

/** A reader of a WebP file's size, and of its orientation if the file has one (RFC 9649). */
final class WebpHeader {

  private static final int FIRST_CHUNK = 12;

  // Flags in the chunk VP8X.
  private static final int HAS_XMP = 0x04;
  private static final int HAS_EXIF = 0x08;

  private WebpHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    int content = FIRST_CHUNK + 8;
    if (bytes.startsWith(FIRST_CHUNK, "VP8 ")) {
      if (bytes.u8(content + 3, "the VP8 start code") != 0x9D
          || bytes.u16(content + 4, "the VP8 start code") != 0x2A01) {
        throw new FormatException("the WebP has no VP8 start code 9D 01 2A at byte 23");
      }
      return header(
          bytes,
          bytes.u16(content + 6, "the width of the WebP") & 0x3FFF,
          bytes.u16(content + 8, "the height of the WebP") & 0x3FFF);
    }
    if (bytes.startsWith(FIRST_CHUNK, "VP8L")) {
      if (bytes.u8(content, "the VP8L signature") != 0x2F) {
        throw new FormatException("the WebP has no VP8L signature 2F at byte 20");
      }
      long sides = bytes.u32(content + 1, "the size of the WebP");
      return header(bytes, (sides & 0x3FFF) + 1, ((sides >> 14) & 0x3FFF) + 1);
    }
    if (bytes.startsWith(FIRST_CHUNK, "VP8X")) {
      long width = (bytes.u32(content + 4, "the width of the WebP") & 0xFFFFFF) + 1;
      long height = (bytes.u32(content + 6, "the height of the WebP") >> 8) + 1;
      return header(bytes, width, height);
    }
    throw new FormatException(
        "the WebP's first chunk at byte 12 has the unknown type %08X"
            .formatted(bytes.u32(FIRST_CHUNK, "the type of the first chunk")));
  }

  private static ImageHeader header(HeaderBytes bytes, long width, long height)
      throws FormatException {
    return ImageHeader.of(ImageFormat.WEBP, width, height, ColorSpace.PLAIN, orientation(bytes));
  }

  /**
   * Returns the orientation in the first EXIF chunk, or else in the first XMP chunk. A chunk counts
   * only if the file's flags declare its kind.
   */
  private static Orientation orientation(HeaderBytes bytes) throws FormatException {
    ExifMetadata metadata = new ExifMetadata();
    boolean extended = bytes.startsWith(FIRST_CHUNK, "VP8X");
    int flags = extended ? bytes.u8(FIRST_CHUNK + 8, "the flags of the WebP") : 0;
    boolean exif = (flags & HAS_EXIF) != 0;
    boolean xmp = (flags & HAS_XMP) != 0;
    long at = FIRST_CHUNK;
    while ((exif || xmp) && at + 8 <= bytes.length()) {
      long length = bytes.u32(at + 4, "the length of a chunk");
      if (exif && bytes.startsWith(at, "EXIF")) {
        metadata.setExif(bytes.part((int) at + 8, length, false).all());
        exif = false;
      } else if (xmp && bytes.startsWith(at, "XMP ")) {
        metadata.setXmp(bytes.part((int) at + 8, length, false).all());
        xmp = false;
      }
      at += 8 + length + (length & 1);
    }
    return metadata.orientation();
  }
}
