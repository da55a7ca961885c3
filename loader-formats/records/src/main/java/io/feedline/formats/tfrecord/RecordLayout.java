package io.feedline.formats.tfrecord;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes around a record (tensorflow/core/lib/io/record_writer.h), all little-endian:
 *
 * <pre>
 *   0        u64  length of the data
 *   8        u32  masked CRC-32C of the 8 bytes before
 *   12       data
 *   12+len   u32  masked CRC-32C of the data
 * </pre>
 */
final class RecordLayout {

  static final int LENGTH_BYTES = 8;
  static final int HEADER_BYTES = 12;
  static final int FOOTER_BYTES = 4;

  /** The number of bytes of a record besides its data. */
  static final int FRAME_BYTES = HEADER_BYTES + FOOTER_BYTES;

  private static final int MASK_DELTA = 0xa282ead8;

  private RecordLayout() {}

  /**
   * Returns the number that is stored instead of a CRC, since computing a CRC of data that contains
   * CRCs is problematic (tensorflow/core/lib/hash/crc32c.h).
   */
  static int mask(int crc) {
    return Integer.rotateRight(crc, 15) + MASK_DELTA;
  }

  static int maskedCrc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return mask((int) crc.getValue());
  }

  static boolean headerIsIntact(byte[] bytes, int offset) {
    return maskedCrc(bytes, offset, LENGTH_BYTES) == u32(bytes, offset + LENGTH_BYTES);
  }

  static long u64(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(offset);
  }

  static int u32(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
  }

  static @Nullable String problemOfHeader(byte[] bytes, int offset) {
    if (headerIsIntact(bytes, offset)) {
      return null;
    }
    return "the checksum of the length is %08x, but that of the stored length %d is %08x"
        .formatted(
            u32(bytes, offset + LENGTH_BYTES),
            u64(bytes, offset),
            maskedCrc(bytes, offset, LENGTH_BYTES));
  }

  /** Describes a wrong checksum behind the data; returns null if the checksum is right. */
  static @Nullable String problemOfData(byte[] bytes, int offset, int length) {
    int stored = u32(bytes, offset + length);
    int computed = maskedCrc(bytes, offset, length);
    return stored == computed
        ? null
        : "the checksum of the data is %08x, but that of the %d bytes there is %08x"
            .formatted(stored, length, computed);
  }

  /** Returns the place of a record as a text, for the beginning of an error. */
  static String place(Path file, long record, long offset) {
    return "%s, record %d at offset %d".formatted(file, record, offset);
  }

  static byte[] header(long length) {
    byte[] header = new byte[HEADER_BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(0, length);
    buffer.putInt(LENGTH_BYTES, maskedCrc(header, 0, LENGTH_BYTES));
    return header;
  }

  static byte[] footer(List<byte[]> data) {
    CRC32C crc = new CRC32C();
    data.forEach(crc::update);
    byte[] footer = new byte[FOOTER_BYTES];
    ByteBuffer.wrap(footer).order(ByteOrder.LITTLE_ENDIAN).putInt(mask((int) crc.getValue()));
    return footer;
  }
}
