package io.feedline.formats.jpeg.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * An index of the places of MCUs in a JPEG's entropy-coded data. With an index a rectangle is
 * decoded without the data above the rectangle, and with only a few MCUs beside the rectangle. An
 * index has a few percent of the file's size. Immutable and thread-safe.
 *
 * <p><b>Principle.</b> A JPEG can only be read from its beginning, as codes differ in length and DC
 * values are stored as differences. An index contains, for every few MCUs, the bit at which they
 * begin and the DC values before them.
 *
 * <p><b>Safety.</b> An index contains its own checksum, which {@link #of} verifies, and the length
 * and the checksum of its file, which {@link #matches} compares. A decoder does not use an index
 * that does not match, and stops using an index that points to wrong places.
 *
 * <p><b>Layout</b>, little-endian, so that an index can be used in place, for example in a mapped
 * file:
 *
 * <pre>
 *  0  u32  magic, "JSIX"
 *  4  u8   version, 1
 *  5  u8   components n, 1 or 3
 *  6  u16  MCUs per entry K
 *  8  u32  length of the JPEG in bytes
 * 12  u32  CRC-32C of the JPEG
 * 16  u16  MCUs per row
 * 18  u16  rows of MCUs
 * 20  u32  bit behind the last MCU
 * 24  u32  length of this index in bytes
 * 28  u32  CRC-32C of this index without these four bytes
 * 32       for each row of MCUs:
 *            u32  bit of its first MCU, counted from the first byte of the scan's data
 *            u32  offset of its differences in this index
 *            i16  DC prediction for each component
 *          then for each row its differences: for MCU K, 2K, 3K, ... of the row
 *            varint         bits since the entry before
 *            varint zigzag  difference of the DC prediction for each component
 * </pre>
 *
 * <p>Bits are counted in the file with its stuffed zeros and restart markers. An entry at the
 * beginning of a restart interval points behind the marker. A varint has 7 bits to a byte, the
 * lowest first, and the highest bit set in all bytes but its last.
 *
 * <p><b>Known limitations.</b> There is no index of a JPEG of 512 MiB or more, of a damaged JPEG,
 * or of a JPEG of a kind that {@link JpegImage#unsupported} names.
 */
public final class ScanIndex {

  /**
   * The default number of MCUs per entry. It is small enough that few MCUs are read in vain, and
   * large enough that an index has only 2 to 5% of the JPEG's size.
   */
  public static final int DEFAULT_MCUS_PER_ENTRY = 8;

  static final int MAX_MCUS_PER_ENTRY = 0xFFFF;
  static final int MAGIC = 'J' | 'S' << 8 | 'I' << 16 | 'X' << 24;
  static final int VERSION = 1;

  static final int COMPONENTS_AT = 5;
  static final int MCUS_PER_ENTRY_AT = 6;
  static final int JPEG_LENGTH_AT = 8;
  static final int JPEG_CRC_AT = 12;
  static final int COLUMNS_AT = 16;
  static final int ROWS_AT = 18;
  static final int END_BIT_AT = 20;
  static final int LENGTH_AT = 24;
  static final int CRC_AT = 28;
  static final int HEADER_BYTES = 32;
  static final int MAX_VARINT_BYTES = 5;
  private static final int VERSION_AT = 4;
  private static final int MAX_VARINT_SHIFT = 28;

  private final ByteBuffer bytes;
  private final int components;
  private final int mcusPerEntry;
  private final int columns;
  private final int rows;

  private ScanIndex(ByteBuffer bytes) {
    this.bytes = bytes;
    this.components = bytes.get(COMPONENTS_AT);
    this.mcusPerEntry = bytes.getShort(MCUS_PER_ENTRY_AT) & 0xFFFF;
    this.columns = bytes.getShort(COLUMNS_AT) & 0xFFFF;
    this.rows = bytes.getShort(ROWS_AT) & 0xFFFF;
  }

  /**
   * Makes an index by reading the whole image, in about a quarter of the time of decoding it.
   *
   * @throws JpegException if the image is damaged, unsupported, or of 512 MiB or more
   */
  public static ScanIndex build(JpegImage image) throws JpegException {
    return build(image, DEFAULT_MCUS_PER_ENTRY);
  }

  /**
   * Makes an index with an entry for each {@code mcusPerEntry} MCUs, 1 to 65535; a row of fewer
   * MCUs has one entry.
   */
  public static ScanIndex build(JpegImage image, int mcusPerEntry) throws JpegException {
    JpegDecoder.requireSupported(image);
    McuTables tables = new McuTables();
    tables.fill(image);
    ScanReader reader = new ScanReader(tables);
    reader.open(image);
    ScanIndexRecorder recorder = new ScanIndexRecorder(image, mcusPerEntry);
    reader.record(recorder);
    reader.skip(image.grid().columns() * image.grid().rows());
    return recorder.finish(reader);
  }

  /**
   * Returns the index that {@link #toBytes} returned as bytes. The bytes lie from the position to
   * the limit of a heap, direct or mapped buffer. They are not copied, and must not change
   * afterwards. The buffer's position stays unchanged.
   *
   * @throws JpegException if the bytes are not an index, or the index is damaged
   */
  public static ScanIndex of(ByteBuffer buffer) throws JpegException {
    ByteBuffer bytes = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
    int length = bytes.limit();
    if (length < HEADER_BYTES || bytes.getInt(0) != MAGIC) {
      throw new JpegException("%d bytes are not the index of a JPEG".formatted(length));
    }
    if (bytes.get(VERSION_AT) != VERSION) {
      throw new JpegException(
          "the index of a JPEG has version %d instead of %d"
              .formatted(bytes.get(VERSION_AT), VERSION));
    }
    if (bytes.getInt(LENGTH_AT) != length) {
      throw new JpegException(
          "the index of a JPEG has %d bytes instead of %d"
              .formatted(length, bytes.getInt(LENGTH_AT) & 0xFFFFFFFFL));
    }
    int crc = crc(bytes);
    if (crc != bytes.getInt(CRC_AT)) {
      throw new JpegException(
          "the index of a JPEG is damaged: its CRC-32C is %08X instead of %08X"
              .formatted(crc, bytes.getInt(CRC_AT)));
    }
    ScanIndex index = new ScanIndex(bytes);
    if ((index.components != 1 && index.components != 3)
        || index.mcusPerEntry == 0
        || length < HEADER_BYTES + index.rows * rowBytes(index.components)
        || length > mostBytes(index.components, index.columns, index.rows, index.mcusPerEntry)) {
      throw new JpegException("the index of a JPEG contradicts itself");
    }
    return index;
  }

  static int crc(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(CRC_AT));
    crc.update(bytes.duplicate().position(HEADER_BYTES));
    return (int) crc.getValue();
  }

  static int crc(byte[] jpeg) {
    CRC32C crc = new CRC32C();
    crc.update(jpeg, 0, jpeg.length);
    return (int) crc.getValue();
  }

  static int rowBytes(int components) {
    return 2 * Integer.BYTES + components * Short.BYTES;
  }

  /** Returns the largest size in bytes of an index of these MCUs, with any MCUs per entry. */
  public static long mostBytes(McuGrid grid) {
    return mostBytes(grid.sampling().components(), grid.columns(), grid.rows(), 1);
  }

  private static long mostBytes(int components, int columns, int rows, int mcusPerEntry) {
    long entriesPerRow = columns / mcusPerEntry;
    return HEADER_BYTES
        + rows * (rowBytes(components) + entriesPerRow * MAX_VARINT_BYTES * (1 + components));
  }

  public byte[] toBytes() {
    byte[] copy = new byte[bytes.limit()];
    bytes.get(0, copy);
    return copy;
  }

  public int byteSize() {
    return bytes.limit();
  }

  /**
   * Returns whether this is the index of an image: whether the file's length, CRC-32C and numbers
   * of MCUs are equal. Reads the whole file, at 10 to 20 GB/s.
   */
  public boolean matches(JpegImage image) {
    McuGrid grid = image.grid();
    return grid != null
        && grid.sampling().components() == components
        && grid.columns() == columns
        && grid.rows() == rows
        && bytes.getInt(JPEG_LENGTH_AT) == image.data().length
        && bytes.getInt(JPEG_CRC_AT) == crc(image.data());
  }

  static final class Entry {
    int mcu;
    long startBit;
    long endBit;
    final int[] predictions = new int[3];
  }

  /**
   * Fills {@code entry} with the last entry at or before column {@code from} of a row of MCUs, and
   * with the end of the data before column {@code to}. Returns false if the index is wrong.
   */
  boolean find(int row, int from, int to, Entry entry) {
    int rowAt = HEADER_BYTES + row * rowBytes(components);
    long bit = bytes.getInt(rowAt) & 0xFFFFFFFFL;
    int[] predictions = entry.predictions;
    for (int c = 0; c < components; c++) {
      predictions[c] = bytes.getShort(rowAt + 2 * Integer.BYTES + c * Short.BYTES);
    }
    int differences = bytes.getInt(rowAt + Integer.BYTES);
    if (differences < HEADER_BYTES || differences > bytes.limit()) {
      return false;
    }
    Varints varints = new Varints(bytes, differences);
    int first = from / mcusPerEntry;
    for (int i = 0; i < first; i++) {
      bit += varints.next();
      for (int c = 0; c < components; c++) {
        int zigzag = varints.next();
        predictions[c] += (zigzag >>> 1) ^ -(zigzag & 1);
      }
    }
    entry.mcu = row * columns + first * mcusPerEntry;
    entry.startBit = bit;
    int end = (to + mcusPerEntry - 1) / mcusPerEntry;
    if ((long) end * mcusPerEntry < columns) {
      for (int i = first; i < end; i++) {
        bit += varints.next();
        for (int c = 0; c < components; c++) {
          varints.next();
        }
      }
    } else {
      bit = bytes.getInt(row + 1 < rows ? rowAt + rowBytes(components) : END_BIT_AT) & 0xFFFFFFFFL;
    }
    entry.endBit = bit;
    long jpegBits = 8L * bytes.getInt(JPEG_LENGTH_AT);
    return !varints.failed && entry.startBit <= bit && bit <= jpegBits;
  }

  private static final class Varints {
    private final ByteBuffer bytes;
    private int at;
    private boolean failed;

    Varints(ByteBuffer bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    /** Returns the next number, 0 or more; 0 after the last number. */
    int next() {
      int value = 0;
      for (int shift = 0; shift < MAX_VARINT_SHIFT && at < bytes.limit(); shift += 7) {
        int next = bytes.get(at++);
        value |= (next & 127) << shift;
        if (next >= 0) {
          return value;
        }
      }
      failed = true;
      return 0;
    }
  }
}
