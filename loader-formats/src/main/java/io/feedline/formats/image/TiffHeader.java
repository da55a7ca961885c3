package io.feedline.formats.image;

import io.feedline.formats.image.ImageHeader.Colour;

/**
 * The first directory of a TIFF (revision 6.0), which is also the form of EXIF: a list of entries
 * of 12 bytes, each a tag, a type, a count, and the value or its offset.
 */
final class TiffHeader {

  private static final int WIDTH = 256;
  private static final int HEIGHT = 257;
  private static final int PHOTOMETRIC = 262;
  private static final int STRIP_OFFSETS = 273;
  private static final int ORIENTATION = 274;
  private static final int STRIP_BYTES = 279;
  private static final int TILE_OFFSETS = 324;
  private static final int TILE_BYTES = 325;

  private static final int ENTRY_BYTES = 12;
  private static final int SHORT = 3;
  private static final int LONG = 4;
  private static final int SEPARATED_INKS = 5;

  private final HeaderBytes bytes;
  private final long directory;
  private final int entries;

  private TiffHeader(HeaderBytes bytes) throws ImageFormatException {
    if (!bytes.startsWith(0, "II*\0") && !bytes.startsWith(0, "MM\0*")) {
      throw new ImageFormatException("no TIFF header (II*. or MM.*)");
    }
    this.bytes = bytes.part(0, bytes.length(), bytes.startsWith(0, "MM"));
    this.directory = this.bytes.u32(4, "the offset of the TIFF's first directory");
    this.entries = this.bytes.u16(directory, "the TIFF's first directory");
  }

  static ImageHeader parse(HeaderBytes bytes) throws ImageFormatException {
    TiffHeader tiff = new TiffHeader(bytes);
    return ImageHeader.of(
        ImageFormat.TIFF,
        tiff.required(WIDTH, "width"),
        tiff.required(HEIGHT, "height"),
        tiff.number(PHOTOMETRIC, 0) == SEPARATED_INKS ? Colour.CMYK : Colour.PLAIN,
        Orientation.ofTag((int) tiff.number(ORIENTATION, 1)));
  }

  /** The orientation in an EXIF block. A broken one does not make an image unusable: NORMAL. */
  static Orientation orientationOfExif(HeaderBytes exif) {
    try {
      return Orientation.ofTag((int) new TiffHeader(exif).number(ORIENTATION, 1));
    } catch (ImageFormatException broken) {
      return Orientation.NORMAL;
    }
  }

  /**
   * Checks that each strip or tile lies within the data.
   *
   * @throws ImageFormatException if one does not
   */
  static void requireComplete(byte[] data) throws ImageFormatException {
    TiffHeader tiff = new TiffHeader(HeaderBytes.bigEndian(data));
    tiff.requireWithin(STRIP_OFFSETS, STRIP_BYTES, "strip");
    tiff.requireWithin(TILE_OFFSETS, TILE_BYTES, "tile");
  }

  private void requireWithin(int offsetsTag, int lengthsTag, String what)
      throws ImageFormatException {
    long offsets = entry(offsetsTag);
    long lengths = entry(lengthsTag);
    if (offsets < 0 || lengths < 0) {
      return;
    }
    long count = Math.min(count(offsets), count(lengths));
    for (long i = 0; i < count; i++) {
      long end = value(offsets, i) + value(lengths, i);
      if (end > bytes.length()) {
        throw new ImageFormatException(
            "the TIFF is truncated: its %s %d ends at byte %d, but the data at byte %d"
                .formatted(what, i, end, bytes.length()));
      }
    }
  }

  private long required(int tag, String what) throws ImageFormatException {
    long entry = entry(tag);
    if (entry < 0) {
      throw new ImageFormatException(
          "the TIFF's first directory at byte %d has no %s (tag %d)"
              .formatted(directory, what, tag));
    }
    return value(entry, 0);
  }

  private long number(int tag, long otherwise) throws ImageFormatException {
    long entry = entry(tag);
    return entry < 0 ? otherwise : value(entry, 0);
  }

  /** Where the entry of a tag is, or -1. */
  private long entry(int tag) throws ImageFormatException {
    for (int i = 0; i < entries; i++) {
      long at = directory + 2 + (long) i * ENTRY_BYTES;
      if (bytes.u16(at, "an entry of the TIFF's directory") == tag) {
        return at;
      }
    }
    return -1;
  }

  private long count(long entry) throws ImageFormatException {
    return bytes.u32(entry + 4, "the count of a TIFF entry");
  }

  private long value(long entry, long i) throws ImageFormatException {
    int type = bytes.u16(entry + 2, "the type of a TIFF entry");
    if (type != SHORT && type != LONG) {
      throw new ImageFormatException(
          "the TIFF entry at byte %d has type %d, expected 3 or 4".formatted(entry, type));
    }
    int size = type == SHORT ? 2 : 4;
    long values = entry + 8;
    if (count(entry) * size > 4) {
      values = bytes.u32(values, "the offset of a TIFF entry's values");
    }
    long at = values + i * size;
    return type == SHORT
        ? bytes.u16(at, "a value of a TIFF entry")
        : bytes.u32(at, "a value of a TIFF entry");
  }
}
