package io.feedline.formats.text;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.ToLongFunction;

/** The type of token ids in a file, little-endian, named as numpy names it. */
public enum TokenType {
  /** Ids below 256: bytes of text. */
  UINT8(1, 1, bytes -> bytes.get() & 0xff),
  /** Signed bytes. */
  INT8(2, 1, ByteBuffer::get),
  /** Ids below 32 768. */
  INT16(3, 2, ByteBuffer::getShort),
  /** Ids below 65 536, as nanoGPT and Megatron have them for GPT-2's vocabulary. */
  UINT16(8, 2, bytes -> bytes.getShort() & 0xffff),
  /** Ids of any vocabulary. */
  INT32(4, 4, ByteBuffer::getInt),
  /** Unsigned: ids above 2<sup>31</sup> - 1 are an error. */
  UINT32(0, 4, bytes -> bytes.getInt() & 0xffffffffL),
  /** Ids that do not fit into 32 bits are an error. */
  INT64(5, 8, ByteBuffer::getLong);

  private final int megatronCode;
  private final int bytes;

  @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
  private final ToLongFunction<ByteBuffer> next;

  TokenType(int megatronCode, int bytes, ToLongFunction<ByteBuffer> next) {
    this.megatronCode = megatronCode;
    this.bytes = bytes;
    this.next = next;
  }

  /** Returns how many bytes an id takes. */
  public int bytes() {
    return bytes;
  }

  /** The code in an index of Megatron's; 0: none. */
  int megatronCode() {
    return megatronCode;
  }

  /**
   * Reads ids.
   *
   * @param offset of the first one's first byte
   * @throws IOException if the file ends before, or one does not fit into an {@code int}
   */
  int[] read(OpenFile file, long offset, int count) throws IOException {
    ByteBuffer packed =
        ByteBuffer.allocate(Math.multiplyExact(count, bytes)).order(ByteOrder.LITTLE_ENDIAN);
    file.read(offset, packed);
    packed.flip();
    int[] ids = new int[count];
    for (int i = 0; i < count; i++) {
      long id = next.applyAsLong(packed);
      if (id != (int) id) {
        throw new IOException(
            "%s: the token at byte offset %d is %d, which does not fit into 32 bits"
                .formatted(file.path(), offset + (long) i * bytes, id));
      }
      ids[i] = (int) id;
    }
    return ids;
  }
}
