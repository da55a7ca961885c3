package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The part of an HDF5 file that contains data without a fixed length (HDF5 File Format
 * Specification, section III.E): collections of numbered objects.
 *
 * <pre>
 *   collection   "GCOL" | u8 version, 1 | 3 bytes | length, the whole collection
 *   object       u16 number | u16 references | 4 bytes | length | data, up to a multiple of 8
 *   reference    u32 length | address of the collection | u32 number
 * </pre>
 *
 * <p>A search walks from object to object of a collection, and reads {@value #WINDOW_BYTES} bytes
 * at a time. Most often a collection has only one image. Immutable and thread-safe.
 *
 * @param baseAddress the position in the file from which addresses count
 * @param offsetBytes the bytes of an address in this file, 4 or 8
 * @param lengthBytes the bytes of a length, 4 or 8
 */
record GlobalHeap(OpenFile file, long baseAddress, int offsetBytes, int lengthBytes) {

  private static final int WINDOW_BYTES = 4096;
  private static final int SIGNATURE = 'G' | 'C' << 8 | 'O' << 16 | 'L' << 24;
  private static final int ALIGNMENT = 8;

  int referenceBytes() {
    return 2 * Integer.BYTES + offsetBytes;
  }

  byte[] get(ByteBuffer reference) throws IOException {
    long length = Integer.toUnsignedLong(reference.getInt());
    long address = number(reference, offsetBytes);
    long number = Integer.toUnsignedLong(reference.getInt());
    if (length == 0) {
      // An empty string has no object.
      return new byte[0];
    }
    Walk walk = new Walk(baseAddress + address);
    long found = walk.find(number, length);
    byte[] bytes = new byte[(int) length];
    file.read(found, bytes, 0, bytes.length);
    return bytes;
  }

  private static long number(ByteBuffer bytes, int size) {
    return size == Integer.BYTES ? Integer.toUnsignedLong(bytes.getInt()) : bytes.getLong();
  }

  private final class Walk {
    private final ByteBuffer window =
        ByteBuffer.allocate(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    private final long start;
    private final long fileBytes;
    private long windowStart;

    Walk(long start) throws IOException {
      this.start = start;
      this.fileBytes = file.length();
    }

    long find(long number, long length) throws IOException {
      ByteBuffer header = at(start, ALIGNMENT + lengthBytes);
      int signature = header.getInt();
      int version = header.get();
      header.position(header.position() + 3);
      long end = start + number(header, lengthBytes);
      if (signature != SIGNATURE || version != 1 || end > fileBytes || end < start) {
        throw new FormatException("there is no global heap at offset " + start);
      }
      long position = start + ALIGNMENT + lengthBytes;
      int headerBytes = ALIGNMENT + lengthBytes;
      while (position + headerBytes <= end) {
        ByteBuffer object = at(position, headerBytes);
        int index = Short.toUnsignedInt(object.getShort());
        object.position(object.position() + 6);
        long size = number(object, lengthBytes);
        if (size < 0 || size > end - position - headerBytes) {
          throw new FormatException(
              "object %d of the global heap at offset %d claims %d bytes, up to the end there are %d"
                  .formatted(index, start, size, end - position - headerBytes));
        }
        if (index == 0) {
          break;
        }
        if (index == number) {
          if (length > size || length > Integer.MAX_VALUE - ALIGNMENT) {
            throw new FormatException(
                "%d bytes are expected in object %d of the global heap at offset %d, there are %d"
                    .formatted(length, number, start, size));
          }
          return position + headerBytes;
        }
        position += headerBytes + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      }
      throw new FormatException(
          "there is no object %d in the global heap at offset %d".formatted(number, start));
    }

    private ByteBuffer at(long position, int bytes) throws IOException {
      long offset = position - windowStart;
      if (position < 0 || position > fileBytes - bytes) {
        throw new FormatException(
            "the global heap is at offset %d of a file of %d bytes".formatted(position, fileBytes));
      }
      if (offset < 0 || offset + bytes > window.limit()) {
        window.clear().limit((int) Math.min(WINDOW_BYTES, fileBytes - position));
        file.read(position, window);
        windowStart = position;
        offset = 0;
      }
      return window.position((int) offset);
    }
  }
}
