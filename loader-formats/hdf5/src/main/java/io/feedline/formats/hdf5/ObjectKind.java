package io.feedline.formats.hdf5;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The kind of an object, found by the type numbers of the messages in its header (HDF5 File Format
 * Specification, section IV.A). jHDF also parses the messages, and so a search for groups would
 * fail at a message that jHDF does not know, such as that of an opaque type.
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

  /** An object whose first messages do not show the kind. */
  UNKNOWN;

  private static final int PEEKED_BYTES = 1 << 10;

  private static final int DATASPACE = 0x01;
  private static final int LINK_INFO = 0x02;
  private static final int DATATYPE = 0x03;
  private static final int SYMBOL_TABLE = 0x11;

  /** The flag of a message whose data lie elsewhere: it contains only their address. */
  private static final int SHARED = 0x02;

  private static final int OHDR = 'O' | 'H' << 8 | 'D' << 16 | 'R' << 24;
  private static final int SIZE_MASK = 0x03;
  private static final int HAS_ORDER = 0x04;
  private static final int HAS_PHASES = 0x10;
  private static final int HAS_TIMES = 0x20;

  /** The first bytes of a header; the messages lie from {@code first} to {@code end}. */
  private record Header(ByteBuffer bytes, int first, int end, int numberBytes, int messageBytes) {

    static @Nullable Header at(OpenFile file, long position) throws IOException {
      long there = Math.min(PEEKED_BYTES, file.length() - position);
      if (position < 0 || there < 16) {
        return null;
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) there).order(ByteOrder.LITTLE_ENDIAN);
      file.read(position, bytes);
      bytes.flip();
      if (bytes.getInt(0) == OHDR && bytes.get(4) == 2) {
        int flags = bytes.get(5);
        int sizeBytes = 1 << (flags & SIZE_MASK);
        int times = (flags & HAS_TIMES) != 0 ? 16 : 0;
        int first = 6 + times + ((flags & HAS_PHASES) != 0 ? 4 : 0) + sizeBytes;
        long size = bytes.getLong(Math.min(first - sizeBytes, bytes.limit() - Long.BYTES));
        size = sizeBytes == Long.BYTES ? size : size & ((1L << (8 * sizeBytes)) - 1);
        return of(bytes, first, size, 1, (flags & HAS_ORDER) != 0 ? 6 : 4);
      }
      return bytes.get(0) == 1
          ? of(bytes, 16, Integer.toUnsignedLong(bytes.getInt(8)), 2, 8)
          : null;
    }

    private static Header of(ByteBuffer bytes, int first, long size, int number, int message) {
      int end = size < 0 ? bytes.limit() : (int) Math.min(bytes.limit(), first + size);
      return new Header(bytes, first, end, number, message);
    }

    boolean hasMessage(int at) {
      return at + messageBytes <= end;
    }

    int number(int at) {
      return numberBytes == 1 ? bytes.get(at) & 0xFF : bytes.getShort(at) & 0xFFFF;
    }

    int dataBytes(int at) {
      return bytes.getShort(at + numberBytes) & 0xFFFF;
    }

    int flags(int at) {
      return bytes.get(at + numberBytes + 2);
    }

    int next(int at) {
      return at + messageBytes + dataBytes(at);
    }
  }

  static ObjectKind at(OpenFile file, long position) throws IOException {
    Header header = Header.at(file, position);
    boolean space = false;
    boolean type = false;
    for (int at = header == null ? 0 : header.first();
        header != null && header.hasMessage(at);
        at = header.next(at)) {
      int number = header.number(at);
      if (number == SYMBOL_TABLE || number == LINK_INFO) {
        return GROUP;
      }
      space |= number == DATASPACE;
      type |= number == DATATYPE;
    }
    // A flipped bit can turn a group's message into a dataspace or a datatype, not into both.
    return space && type ? DATASET : UNKNOWN;
  }

  /** Returns the datatype message's data; null if the header's first bytes lack a part of it. */
  static @Nullable ByteBuffer datatype(OpenFile file, long position) throws IOException {
    Header header = Header.at(file, position);
    for (int at = header == null ? 0 : header.first();
        header != null && header.hasMessage(at);
        at = header.next(at)) {
      if (header.number(at) == DATATYPE) {
        boolean whole = header.next(at) <= header.end() && (header.flags(at) & SHARED) == 0;
        return whole
            ? header
                .bytes()
                .slice(at + header.messageBytes(), header.dataBytes(at))
                .order(ByteOrder.LITTLE_ENDIAN)
            : null;
      }
    }
    return null;
  }
}
