package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.McuGrid;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The numbers in the layout of a coefficient record, which {@code COEFFICIENTS.md} specifies. A
 * band is two rows of MCUs. A group is 8 x 2 MCUs of a band, called lanes. For each block of an MCU
 * a group has a set: the coefficients of all lanes, place after place (a place is a zigzag index).
 * A coefficient of too many bits for its place is an escape, at the end of the set.
 */
public final class CoefficientLayout {

  public static final int VERSION = 1;
  static final int COLUMNS = 8;
  static final int ROWS = 2;
  static final int LANES = COLUMNS * ROWS;
  public static final int VERSION_AT = 8;
  static final int RESERVED_AT = 10;
  static final int LENGTH_AT = 12;
  public static final int HEADER_LENGTH_AT = 16;
  static final int BANDS_AT = 20;
  static final int CHECKSUM_AT = 24;
  public static final int HEADER_AT = 28;

  /** The bytes of a band's entry in the record's table: 4 for the band's end, 4 for a checksum. */
  static final int BAND_ENTRY = 8;

  /** The bytes of a group's entry at the beginning of a band; the entry is the group's length. */
  static final int GROUP_ENTRY = 2;

  static final int NARROW = 0x80;
  static final int SET_HEADER = 4;
  static final int NARROW_DC = 2 + LANES;
  static final int WIDE_DC = 2 * LANES;
  static final int MASK = 2;
  static final int ESCAPE = 4;
  static final int MAX_ESCAPES = 63 * LANES;
  static final int MIN_SET = SET_HEADER + NARROW_DC;

  /** The largest number of bytes of a set, without escapes, read before its end is known. */
  static final int REACH = SET_HEADER + WIDE_DC + 63 * MASK + 63 * LANES + Long.BYTES + LANES;

  static final VarHandle U16 =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle I64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] MAGIC = {(byte) 0x89, 'F', 'L', 'C', '\r', '\n', 0x1A, '\n'};

  private CoefficientLayout() {}

  static byte[] magic() {
    return MAGIC.clone();
  }

  static boolean hasMagic(byte[] data) {
    return data.length >= HEADER_AT && Arrays.equals(data, 0, 8, MAGIC, 0, 8);
  }

  static int bands(McuGrid grid) {
    return (grid.rows() + ROWS - 1) / ROWS;
  }

  static int groups(McuGrid grid) {
    return (grid.columns() + COLUMNS - 1) / COLUMNS;
  }

  static int u16(byte[] data, int at) {
    return (short) U16.get(data, at) & 0xFFFF;
  }

  static int i16(byte[] data, int at) {
    return (short) U16.get(data, at);
  }

  static long u32(byte[] data, int at) {
    return Integer.toUnsignedLong((int) U32.get(data, at));
  }
}
