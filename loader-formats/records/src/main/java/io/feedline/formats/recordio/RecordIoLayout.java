package io.feedline.formats.recordio;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of a RecordIO file (dmlc-core, include/dmlc/recordio.h), all little-endian. A record is
 * usually one part. If its data contains the magic number at a multiple of 4, the record is split
 * there into parts, and this magic number is left out.
 *
 * <pre>
 *   0   u32  magic number, 0xced7230a
 *   4   u32  kind of part in the upper 3 bits, length of its data in the lower 29
 *   8   data, and zeros up to a multiple of 4
 * </pre>
 *
 * <p>After damage, a reader can therefore search for the magic number to find the next record.
 */
final class RecordIoLayout {

  static final int MAGIC = 0xced7230a;
  static final int HEADER_BYTES = 8;
  static final int ALIGNMENT = 4;

  private static final int LENGTH_BITS = 29;
  static final int WHOLE = 0;
  static final int FIRST = 1;

  static final int MIDDLE = 2;
  static final int LAST = 3;

  /** The greatest length of a record, including the magic numbers in its data; as in dmlc-core. */
  static final int MAX_RECORD_BYTES = (1 << LENGTH_BITS) - 1;

  private RecordIoLayout() {}

  static int kind(int word) {
    return word >>> LENGTH_BITS;
  }

  static int length(int word) {
    return word & MAX_RECORD_BYTES;
  }

  static int padded(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  static long partBytes(int word) {
    return (long) HEADER_BYTES + padded(length(word));
  }

  static int u32(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
  }

  static byte[] encode(byte[] record) {
    ByteBuffer data = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
    int aligned = record.length & -ALIGNMENT;
    int parts = 1;
    for (int i = 0; i < aligned; i += ALIGNMENT) {
      if (data.getInt(i) == MAGIC) {
        parts++;
      }
    }
    // Each split replaces a magic number of the data by a header.
    int size = padded(record.length) + HEADER_BYTES + (parts - 1) * (HEADER_BYTES - ALIGNMENT);
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    int begin = 0;
    for (int i = 0; i < aligned; i += ALIGNMENT) {
      if (data.getInt(i) == MAGIC) {
        putPart(out, begin == 0 ? FIRST : MIDDLE, record, begin, i);
        begin = i + ALIGNMENT;
      }
    }
    putPart(out, begin == 0 ? WHOLE : LAST, record, begin, record.length);
    return out.array();
  }

  private static void putPart(ByteBuffer out, int kind, byte[] record, int begin, int end) {
    out.putInt(MAGIC).putInt((kind << LENGTH_BITS) | (end - begin));
    out.put(record, begin, end - begin);
    out.position(padded(out.position()));
  }
}
