package io.feedline.formats.image.codec.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.codec.ImageHeader.ColorSpace;
import io.feedline.formats.image.codec.ImageHeader.Orientation;
import io.feedline.formats.store.ImageFormat;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the first directory of a TIFF (revision 6.0); EXIF has the same form. Its entries
 * have 12 bytes: a tag, a type, a count, and the value or the offset of the values. In a BigTIFF
 * counts and offsets have 8 bytes.
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

  private static final int XMP = 700;

  private static final int BYTE = 1;
  private static final int ASCII = 2;
  private static final int SHORT = 3;
  private static final int LONG = 4;
  private static final int RATIONAL = 5;
  private static final int SIGNED_BYTE = 6;
  private static final int UNDEFINED = 7;
  private static final int SIGNED_SHORT = 8;
  private static final int SIGNED_LONG = 9;
  private static final int SIGNED_RATIONAL = 10;
  private static final int FLOAT = 11;
  private static final int DOUBLE = 12;
  private static final int DIRECTORY = 13;
  private static final int LONG8 = 16;

  private final HeaderBytes bytes;
  private final boolean big;
  private final long directory;
  private final long firstEntry;
  private final long entries;

  private TiffHeader(HeaderBytes bytes) throws FormatException {
    this.big = bytes.startsWith(0, "II+\0\b\0\0\0") || bytes.startsWith(0, "MM\0+\0\b\0\0");
    if (!big && !isClassic(bytes)) {
      throw new FormatException("no TIFF header (II*. or MM.*), nor that of a BigTIFF");
    }
    this.bytes = bytes.part(0, bytes.length(), bytes.startsWith(0, "MM"));
    this.directory = offset(big ? 8 : 4, "the offset of the TIFF's first directory");
    String what = "the TIFF's first directory";
    this.entries = big ? this.bytes.u64(directory, what) : this.bytes.u16(directory, what);
    this.firstEntry = directory + (big ? 8 : 2);
  }

  private long offset(long at, String what) throws FormatException {
    return big ? bytes.u64(at, what) : bytes.u32(at, what);
  }

  private int entryBytes() {
    return big ? 20 : 12;
  }

  private long end() {
    return firstEntry + entries * entryBytes();
  }

  static TiffHeader of(byte[] data) throws FormatException {
    TiffHeader tiff = new TiffHeader(HeaderBytes.bigEndian(data));
    tiff.bytes.u8(tiff.end() - 1, "the end of the TIFF's first directory");
    return tiff;
  }

  static ImageHeader parse(HeaderBytes bytes) throws FormatException {
    TiffHeader tiff = new TiffHeader(bytes);
    return ImageHeader.of(
        ImageFormat.TIFF,
        tiff.required(WIDTH, "width"),
        tiff.required(HEIGHT, "height"),
        ColorSpace.PLAIN,
        tiff.orientation());
  }

  /**
   * Returns the orientation in an EXIF block; null if the block lacks an orientation. A broken
   * block does not make the image unusable.
   */
  static @Nullable Orientation orientationOfExif(HeaderBytes exif) {
    if (!isClassic(exif)) {
      return Orientation.NORMAL;
    }
    try {
      return new TiffHeader(exif).taggedOrientation();
    } catch (FormatException noDirectory) {
      return null;
    }
  }

  /** Returns whether the data begin as a TIFF. Pillow accepts two beginnings that are invalid. */
  private static boolean isClassic(HeaderBytes bytes) {
    return bytes.startsWith(0, "II*\0")
        || bytes.startsWith(0, "MM\0*")
        || bytes.startsWith(0, "MM*\0")
        || bytes.startsWith(0, "II\0*");
  }

  /** Returns the orientation of a TIFF; read from XMP if the directory lacks it. */
  private Orientation orientation() throws FormatException {
    Orientation tagged = taggedOrientation();
    if (tagged != null) {
      return tagged;
    }
    long entry = entry(XMP);
    long size = entry < 0 ? 0 : count(entry);
    boolean there = size > 0 && values(entry, 1) + size <= bytes.length();
    return ExifMetadata.ofXmp(there ? bytes.copy(values(entry, 1), size, "XMP") : null);
  }

  /**
   * Returns the orientation of the last entry with the tag Orientation, of any numeric type; null
   * without one. As in Pillow, an entry whose values lie beyond the data ends the directory.
   */
  private @Nullable Orientation taggedOrientation() throws FormatException {
    Orientation tagged = null;
    for (long at = firstEntry;
        at < end() && at + entryBytes() <= bytes.length();
        at += entryBytes()) {
      int size = sizeOf(type(at));
      long count = count(at);
      if (size == 0 || count == 0) {
        continue;
      }
      if (count > bytes.length() || values(at, size) + count * size > bytes.length()) {
        break;
      }
      if (bytes.u16(at, "a tag") == ORIENTATION) {
        tagged = Orientation.ofTag(numberAt(type(at), values(at, size)));
      }
    }
    return tagged;
  }

  private static int sizeOf(int type) {
    return switch (type) {
      case BYTE, ASCII, SIGNED_BYTE, UNDEFINED -> 1;
      case SHORT, SIGNED_SHORT -> 2;
      case LONG, SIGNED_LONG, FLOAT, DIRECTORY -> 4;
      case RATIONAL, SIGNED_RATIONAL, DOUBLE, LONG8 -> 8;
      default -> 0;
    };
  }

  /** Returns the value, of any numeric type, at an offset; 0 if it is not a whole number. */
  private int numberAt(int type, long at) throws FormatException {
    String what = "the orientation";
    double number =
        switch (type) {
          case SIGNED_BYTE -> (byte) bytes.u8(at, what);
          case SHORT -> bytes.u16(at, what);
          case SIGNED_SHORT -> (short) bytes.u16(at, what);
          case LONG, DIRECTORY -> bytes.u32(at, what);
          case SIGNED_LONG -> (int) bytes.u32(at, what);
          case FLOAT -> Float.intBitsToFloat((int) bytes.u32(at, what));
          case RATIONAL -> (double) bytes.u32(at, what) / bytes.u32(at + 4, what);
          case SIGNED_RATIONAL ->
              (double) (int) bytes.u32(at, what) / (int) bytes.u32(at + 4, what);
          case LONG8 -> bytes.u64(at, what);
          case DOUBLE -> {
            long first = bytes.u32(at, what);
            long second = bytes.u32(at + 4, what);
            yield Double.longBitsToDouble(
                bigEndian() ? first << 32 | second : second << 32 | first);
          }
          default -> 0;
        };
    return number == (int) number ? (int) number : 0;
  }

  int length() {
    return bytes.length();
  }

  boolean bigEndian() {
    return bytes.startsWith(0, "MM");
  }

  boolean has(int tag) throws FormatException {
    return onlyEntry(tag) >= 0;
  }

  long required(int tag, String what) throws FormatException {
    long entry = onlyEntry(tag);
    if (entry < 0) {
      throw new FormatException(
          "the TIFF's first directory at byte %d has no %s (tag %d)"
              .formatted(directory, what, tag));
    }
    return only(entry);
  }

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

  /** Returns all values of an entry, at most {@code atMost}; empty if there is no such entry. */
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

  /** Returns an entry's fractions; {@code otherwise} if they are absent or differ in number. */
  float[] fractions(int tag, float... otherwise) throws FormatException {
    long entry = onlyEntry(tag);
    if (entry < 0 || type(entry) != RATIONAL || count(entry) != otherwise.length) {
      return otherwise;
    }
    float[] fractions = new float[otherwise.length];
    for (int i = 0; i < fractions.length; i++) {
      long at = values(entry, 8) + 8L * i;
      long divisor = bytes.u32(at + 4, "a fraction");
      fractions[i] = divisor == 0 ? 0 : (float) ((double) bytes.u32(at, "a fraction") / divisor);
    }
    return fractions;
  }

  /** Returns the offset of a tag's first entry; -1 if the tag has no entry. */
  private long entry(int tag) throws FormatException {
    return entry(tag, firstEntry);
  }

  private long entry(int tag, long from) throws FormatException {
    for (long at = from; at < end(); at += entryBytes()) {
      if (bytes.u16(at, "an entry of the TIFF's directory") == tag) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Returns the offset of a tag's entry; -1 if the tag has no entry. Throws if the tag has two
   * entries, because readers differ in which entry they use.
   */
  private long onlyEntry(int tag) throws FormatException {
    long found = entry(tag);
    if (found >= 0) {
      long second = entry(tag, found + entryBytes());
      if (second >= 0) {
        throw new FormatException(
            "the TIFF's directory has two entries with tag %d, at bytes %d and %d"
                .formatted(tag, found, second));
      }
    }
    return found;
  }

  private long count(long entry) throws FormatException {
    return offset(entry + 4, "the count of a TIFF entry");
  }

  /** Returns the bytes of an entry that is not a list of numbers; empty if it is absent. */
  byte[] content(int tag) throws FormatException {
    long entry = onlyEntry(tag);
    if (entry < 0) {
      return new byte[0];
    }
    int type = type(entry);
    if (type != BYTE && type != UNDEFINED) {
      throw new FormatException(
          "the TIFF entry at byte %d has type %d, expected 1 or 7".formatted(entry, type));
    }
    return bytes.copy(values(entry, 1), count(entry), "the content of tag " + tag);
  }

  private int type(long entry) throws FormatException {
    return bytes.u16(entry + 2, "the type of a TIFF entry");
  }

  /** Returns the offset of an entry's values; values that fit lie in the entry itself. */
  private long values(long entry, int size) throws FormatException {
    long values = entry + (big ? 12 : 8);
    return count(entry) * size > (big ? 8 : 4)
        ? offset(values, "the offset of a TIFF entry's values")
        : values;
  }

  private long value(long entry, long i) throws FormatException {
    int type = type(entry);
    String what = "a value of a TIFF entry";
    return switch (type) {
      case SHORT -> bytes.u16(values(entry, 2) + 2 * i, what);
      case LONG -> bytes.u32(values(entry, 4) + 4 * i, what);
      case LONG8 -> bytes.u64(values(entry, 8) + 8 * i, what);
      default ->
          throw new FormatException(
              "the TIFF entry at byte %d has type %d, expected 3, 4 or 16".formatted(entry, type));
    };
  }
}
