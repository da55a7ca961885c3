package io.feedline.formats.hdf5;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The kind of an object, found by the numbers of the messages in its header alone (HDF5 File Format
 * Specification, IV.A). jHDF parses all messages, and fails at one that it does not understand,
 * such as an opaque type, even where only groups are looked for.
 *
 * <pre>
 *   version 1   u8 1 | u8 | u16 messages | u32 references | u32 bytes | u32
 *               message: u16 number | u16 bytes | u8 flags | 3 bytes | data
 *   version 2   "OHDR" | u8 2 | u8 flags | [16 bytes of times] | [4 bytes] | size of 1 to 8 bytes
 *               message: u8 number | u16 bytes | u8 flags | [u16 order] | data
 * </pre>
 */
enum ObjectKind {
  GROUP,

  DATASET,

  /** Its first messages do not tell. */
  UNKNOWN;

  private static final int PEEKED_BYTES = 1 << 10;

  private static final int DATASPACE = 0x01;
  private static final int LINK_INFO = 0x02;
  private static final int DATATYPE = 0x03;
  private static final int SYMBOL_TABLE = 0x11;

  private static final int OHDR = 'O' | 'H' << 8 | 'D' << 16 | 'R' << 24;
  private static final int SIZE_MASK = 0x03;
  private static final int HAS_ORDER = 0x04;
  private static final int HAS_PHASES = 0x10;
  private static final int HAS_TIMES = 0x20;

  /**
   * Looks at a header.
   *
   * @param position in the file where it begins
   */
  static ObjectKind at(OpenFile file, long position) throws IOException {
    long there = Math.min(PEEKED_BYTES, file.length() - position);
    if (position < 0 || there < 16) {
      return UNKNOWN;
    }
    ByteBuffer header = ByteBuffer.allocate((int) there).order(ByteOrder.LITTLE_ENDIAN);
    file.read(position, header);
    header.flip();
    if (header.getInt(0) == OHDR && header.get(4) == 2) {
      int flags = header.get(5);
      int sizeBytes = 1 << (flags & SIZE_MASK);
      int first =
          6 + ((flags & HAS_TIMES) != 0 ? 16 : 0) + ((flags & HAS_PHASES) != 0 ? 4 : 0) + sizeBytes;
      long size = header.getLong(Math.min(first - sizeBytes, header.limit() - Long.BYTES));
      size = sizeBytes == Long.BYTES ? size : size & ((1L << (8 * sizeBytes)) - 1);
      return of(header, first, size, 1, (flags & HAS_ORDER) != 0 ? 6 : 4);
    }
    return header.get(0) == 1
        ? of(header, 16, Integer.toUnsignedLong(header.getInt(8)), 2, 8)
        : UNKNOWN;
  }

  private static ObjectKind of(
      ByteBuffer header, int first, long size, int numberBytes, int messageBytes) {
    long end = size < 0 ? header.limit() : Math.min(header.limit(), first + size);
    boolean space = false;
    boolean type = false;
    int at = first;
    while (at + messageBytes <= end) {
      int number = numberBytes == 1 ? header.get(at) & 0xFF : header.getShort(at) & 0xFFFF;
      if (number == SYMBOL_TABLE || number == LINK_INFO) {
        return GROUP;
      }
      space |= number == DATASPACE;
      type |= number == DATATYPE;
      at += messageBytes + (header.getShort(at + numberBytes) & 0xFFFF);
    }
    // One of them alone could be a group's message in whose number a bit has turned.
    return space && type ? DATASET : UNKNOWN;
  }
}
