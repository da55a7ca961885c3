package io.feedline.formats.image;

import io.feedline.formats.image.ImageHeader.ColorSpace;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;

/**
 * The first directory of a TIFF (revision 6.0), which is also the form of EXIF: a list of entries
 * of 12 bytes, each a tag, a type, a count, and the value or its offset.
 */
final class TiffHeader {

  static final int WIDTH = 256;
  static final int HEIGHT = 257;
  static final int PHOTOMETRIC = 262;
  static final int STRIP_OFFSETS = 273;
  static final int STRIP_BYTES = 279;
  static final int TILE_OFFSETS = 324;
  static final int TILE_BYTES = 325;
  private static final int ORIENTATION = 274;

  private static final int ENTRY_BYTES = 12;
  private static final int SHORT = 3;
  private static final int LONG = 4;

  private final HeaderBytes bytes;
  private final long directory;
  private final int entries;

  private TiffHeader(HeaderBytes bytes) throws FormatException {
    if (!bytes.startsWith(0, "II*\0") && !bytes.startsWith(0, "MM\0*")) {
      throw new FormatException("no TIFF header (II*. or MM.*)");
    }
    this.bytes = bytes.part(0, bytes.length(), bytes.startsWith(0, "MM"));
    this.directory = this.bytes.u32(4, "the offset of the TIFF's first directory");
    this.entries = this.bytes.u16(directory, "the TIFF's first directory");
  }

  static TiffHeader of(byte[] data) throws FormatException {
    return new TiffHeader(HeaderBytes.bigEndian(data));
  }

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    TiffHeader tiff = new TiffHeader(bytes);
    return ImageHeader.of(
        ImageFormat.TIFF,
        tiff.required(WIDTH, "width"),
        tiff.required(HEIGHT, "height"),
        ColorSpace.PLAIN,
        Orientation.ofTag((int) tiff.number(ORIENTATION, 1)));
  }

  /** The orientation in an EXIF block. A broken one does not make an image unusable: NORMAL. */
  static Orientation orientationOfExif(HeaderBytes exif) {
    try {
      TiffHeader header = new TiffHeader(exif);
      long entry = header.entry(ORIENTATION);
      return entry < 0 ? Orientation.NORMAL : Orientation.ofTag((int) header.value(entry, 0));
    } catch (FormatException broken) {
      return Orientation.NORMAL;
    }
  }

  boolean bigEndian() {
    return bytes.startsWith(0, "MM");
  }

  boolean has(int tag) throws FormatException {
    return onlyEntry(tag) >= 0;
  }

  /** The value of an entry that must be there. */
  long required(int tag, String what) throws FormatException {
    long entry = onlyEntry(tag);
    if (entry < 0) {
      throw new FormatException(
          "the TIFF's first directory at byte %d has no %s (tag %d)"
              .formatted(directory, what, tag));
    }
    return only(entry);
  }

  /** The value of an entry, or another number where there is no such entry. */
  long number(int tag, long otherwise) throws FormatException {
    long entry = onlyEntry(tag);
    return entry < 0 ? otherwise : only(entry);
  }

  private long only(long entry) throws FormatException {
    if (count(entry) != 1) {
      throw new FormatException(
          "the TIFF entry at byte %d has %d values, expected 1".formatted(entry, count(entry)));
    }
    return value(entry, 0);
  }

  /**
   * All values of an entry; none where it is not there.
   *
   * @param atMost more of them are an error
   */
  long[] numbers(int tag, long atMost) throws FormatException {
    long entry = onlyEntry(tag);
    if (entry < 0) {
      return new long[0];
    }
    long count = count(entry);
    // An entry cannot have more values than the file has bytes.
    if (count < 1 || count > Math.min(atMost, bytes.length())) {
      throw new FormatException(
          "entry %d of the TIFF's directory has %d values, expected 1 to %d"
              .formatted(tag, count, Math.min(atMost, bytes.length())));
    }
    long[] numbers = new long[(int) count];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = value(entry, i);
    }
    return numbers;
  }

  /** Where the entry of a tag is, or -1; the first one if there are several. */
  private long entry(int tag) throws FormatException {
    return entry(tag, 0);
  }

  private long entry(int tag, int from) throws FormatException {
    for (int i = from; i < entries; i++) {
      long at = directory + 2 + (long) i * ENTRY_BYTES;
      if (bytes.u16(at, "an entry of the TIFF's directory") == tag) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Where the entry of a tag is, or -1.
   *
   * @throws FormatException if there are two, of which some readers take the one and some the other
   */
  private long onlyEntry(int tag) throws FormatException {
    long found = entry(tag);
    if (found >= 0) {
      long second = entry(tag, 1 + (int) ((found - directory - 2) / ENTRY_BYTES));
      if (second >= 0) {
        throw new FormatException(
            "the TIFF's directory has two entries with tag %d, at bytes %d and %d"
                .formatted(tag, found, second));
      }
    }
    return found;
  }

  private long count(long entry) throws FormatException {
    return bytes.u32(entry + 4, "the count of a TIFF entry");
  }

  private long value(long entry, long i) throws FormatException {
    int type = bytes.u16(entry + 2, "the type of a TIFF entry");
    if (type != SHORT && type != LONG) {
      throw new FormatException(
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
