package io.feedline.formats.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A reusable buffer in heap memory, which grows while it is written to. Little-endian. */
final class ByteSink {

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private ByteBuffer buffer = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * Returns the buffer with room for more bytes, positioned where writing continues; the caller
   * advances the position.
   *
   * @throws IllegalArgumentException if the content would have 2 GiB or more
   */
  ByteBuffer room(long bytes) {
    if (bytes > buffer.remaining()) {
      long needed = buffer.position() + bytes;
      if (needed > LARGEST) {
        throw new IllegalArgumentException(
            "%d bytes do not fit; a value has at most %d".formatted(needed, LARGEST));
      }
      int capacity = (int) Math.min(LARGEST, Math.max(needed, 2L * buffer.capacity()));
      ByteBuffer larger = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }

  int size() {
    return buffer.position();
  }

  /** Returns the array, of which only the first {@link #size} bytes have been written. */
  byte[] array() {
    return buffer.array();
  }

  /** Returns a view of the written bytes, from position 0 to the limit. */
  ByteBuffer written() {
    return buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
  }

  void clear() {
    buffer.clear();
  }
}
