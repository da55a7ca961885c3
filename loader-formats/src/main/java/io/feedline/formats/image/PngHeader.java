package io.feedline.formats.image;

import io.feedline.formats.image.ImageHeader.Colour;
import java.util.zip.CRC32;

/**
 * The chunks of a PNG (ISO/IEC 15948): size and orientation, and whether all are there and intact.
 */
final class PngHeader {

  static final String SIGNATURE = "\u0089PNG\r\n\u001A\n";

  private static final int FIRST_CHUNK = 8;
  private static final int CHUNK_OVERHEAD = 12;

  private PngHeader() {}

  static ImageHeader parse(HeaderBytes bytes) throws ImageFormatException {
    if (!bytes.startsWith(FIRST_CHUNK, "\0\0\0\rIHDR")) {
      throw new ImageFormatException(
          "the PNG does not begin with an IHDR chunk of 13 bytes at byte 8, found %d bytes of type %08X"
              .formatted(
                  bytes.u32(FIRST_CHUNK, "the length of IHDR"),
                  bytes.u32(FIRST_CHUNK + 4, "the type of IHDR")));
    }
    long width = bytes.u32(16, "the width of the PNG");
    long height = bytes.u32(20, "the height of the PNG");
    return ImageHeader.of(ImageFormat.PNG, width, height, Colour.PLAIN, orientation(bytes));
  }

  private static Orientation orientation(HeaderBytes bytes) throws ImageFormatException {
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

  /**
   * Walks the chunks to the last one, IEND, and checks those that a decoder must understand against
   * their checksums. Decoders differ in what they make of damage: this makes all refuse it.
   *
   * @throws ImageFormatException if one is cut off, damaged, or the last is missing
   */
  static void requireIntact(byte[] data) throws ImageFormatException {
    HeaderBytes bytes = HeaderBytes.bigEndian(data);
    CRC32 checksum = new CRC32();
    long at = FIRST_CHUNK;
    while (true) {
      if (at + CHUNK_OVERHEAD > data.length) {
        throw new ImageFormatException(
            "the PNG is truncated: it ends at byte %d without an IEND chunk"
                .formatted(data.length));
      }
      long length = bytes.u32(at, "the length of a chunk");
      if (at + CHUNK_OVERHEAD + length > data.length) {
        throw new ImageFormatException(
            "the PNG is truncated: the chunk at byte %d has %d bytes, but the data ends at byte %d"
                .formatted(at, length, data.length));
      }
      boolean critical = (bytes.u8(at + 4, "the type of a chunk") & 0x20) == 0;
      if (critical) {
        checksum.reset();
        checksum.update(data, (int) at + 4, (int) length + 4);
        long stored = bytes.u32(at + 8 + length, "the checksum of a chunk");
        if (checksum.getValue() != stored) {
          throw new ImageFormatException(
              "the PNG is corrupt: the chunk at byte %d has checksum %08X, but should have %08X"
                  .formatted(at, checksum.getValue(), stored));
        }
      }
      if (bytes.startsWith(at + 4, "IEND")) {
        return;
      }
      at += length + CHUNK_OVERHEAD;
    }
  }
}
