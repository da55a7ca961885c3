package io.feedline.formats.image.internal;

/**
 * The layout of a raw record, which contains the decoded pixels of an image. {@code RAW.md} is the
 * specification, with an example. Numbers are little-endian and unsigned.
 *
 * <pre>
 * offset   bytes
 *  0       8     magic: 89 46 4C 52 0D 0A 1A 0A, "\x89FLR\r\n\x1A\n"
 *  8       u16   version, 1
 * 10       u8    C, samples of a pixel: 1 or 3
 * 11       u8    compression: 0 for none, 1 for LZ4
 * 12       u32   length of the record
 * 16       u32   W, columns, at least 1
 * 20       u32   H, rows, at least 1
 * 24       u16   R, rows of a group, at least 1
 * 26       u8    orientation, 1 to 8 as EXIF has it
 * 27       u8    0
 * 28       u32   CRC-32C of the bytes 0 to 27 and 32 to 31 + 8 G
 * 32       8 G   for each group: u32 end of its bytes in the record, u32 their CRC-32C
 * ...            the groups, one after the other, to the end of the record
 * </pre>
 *
 * <p>There are G = (H + R - 1) / R groups of R rows, from top to bottom; the last group may have
 * fewer rows. A row has W pixels from left to right; a pixel has C bytes: gray, or red, green,
 * blue. With LZ4 a group is one block; if a block would not be smaller, the group is the rows
 * themselves.
 */
public final class RawLayout {

  public static final int VERSION = 1;

  public static final int VERSION_AT = 8;
  static final int SAMPLES_AT = 10;
  static final int COMPRESSION_AT = 11;
  static final int LENGTH_AT = 12;
  public static final int WIDTH_AT = 16;
  public static final int HEIGHT_AT = 20;
  static final int ROWS_AT = 24;
  public static final int ORIENTATION_AT = 26;
  static final int RESERVED_AT = 27;
  static final int CHECKSUM_AT = 28;
  static final int TABLE_AT = 32;

  /** The number of bytes of a group's entry in the table: 4 for its end, 4 for its checksum. */
  static final int ENTRY = 8;

  static final int NO_COMPRESSION = 0;
  static final int LZ4 = 1;

  /** The limit of LZ4's expansion: a block of n bytes holds less than 255 n bytes. */
  static final int MOST_EXPANSION = 255;

  /** The magic "\x89FLR\r\n\x1A\n" as a little-endian number. */
  static final long MAGIC = 0x0A1A_0A0D_524C_4689L;

  private RawLayout() {}
}
