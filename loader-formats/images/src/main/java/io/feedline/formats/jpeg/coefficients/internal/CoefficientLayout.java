package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.McuGrid;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The layout of a coefficient record: a baseline JPEG whose entropy coding has been undone. {@code
 * COEFFICIENTS.md} is its specification, with an example. Numbers are little-endian.
 *
 * <pre>
 * offset   bytes
 *  0       8     magic: 89 46 4C 43 0D 0A 1A 0A, "\x89FLC\r\n\x1A\n"
 *  8       u16   version, 1
 * 10       u16   0
 * 12       u32   length of the record
 * 16       u32   H, length of the JPEG's header
 * 20       u32   B, number of bands
 * 24       u32   CRC-32C of the bytes 0 to 23 and 28 to 27 + H + 8 B
 * 28       H     the JPEG from SOI to the end of its SOS segment, byte for byte
 * 28 + H   8 B   for each band: u32 end of its bytes in the record, u32 their CRC-32C
 * ...            the bands, one after the other
 * </pre>
 *
 * <p>A band is {@value #ROWS} rows of MCUs, a group {@value #COLUMNS} MCUs in each of them. A band
 * begins with the length of each of its groups, u16, from left to right; the groups follow. A group
 * is a set for each block of an MCU, in the order of the JPEG. A set holds that block of the
 * group's {@value #LANES} MCUs: lane {@code COLUMNS * row + column}. Lanes beyond the image are 0.
 *
 * <pre>
 * u8           N, 1 to 64: places N to 63 (in zigzag order) are 0 in all lanes; + 80 if DC is narrow
 * u8           M, 1 to N: places 1 to M - 1 have bytes, M to N - 1 nibbles
 * u16          E, 0 to 1008
 * DC           narrow: i16 base, then for each lane i8, to be added to it; wide: for each lane i16
 * u16 * (N-1)  for each place from 1 on: bit i says that lane i has a value
 * ...          for each place from 1 to M - 1, for each lane that has a value: i8
 * ...          for each place from M to N - 1, for each lane that has a value: 4 bits, signed, the
 *              lower half of a byte first; each place begins with a new byte
 * E times      u16 16 * place + lane, i16 the value there, instead of the one above
 * </pre>
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

  /** A band's end and its checksum. */
  static final int BAND_ENTRY = 8;

  /** A group's length. */
  static final int GROUP_ENTRY = 2;

  static final int NARROW = 0x80;
  static final int SET_HEADER = 4;
  static final int NARROW_DC = 2 + LANES;
  static final int WIDE_DC = 2 * LANES;
  static final int MASK = 2;
  static final int ESCAPE = 4;
  static final int MAX_ESCAPES = 63 * LANES;

  static final int MIN_SET = SET_HEADER + NARROW_DC;

  /** The bytes of a set that are read before its end is known, without escapes, which come last. */
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
