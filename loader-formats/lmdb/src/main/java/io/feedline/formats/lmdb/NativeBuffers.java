package io.feedline.formats.lmdb;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import jnr.ffi.Pointer;
import org.lmdbjava.BufferProxy;

/**
 * The direct buffers in which lmdbjava takes keys, and returns the memory of values. lmdbjava's own
 * proxies of buffers change the fields of a buffer, which needs {@code --add-opens
 * java.base/java.nio=ALL-UNNAMED}; its proxy of arrays copies. Here JNI's {@code
 * NewDirectByteBuffer} makes a buffer over LMDB's memory, through jffi, which lmdbjava uses.
 */
final class NativeBuffers extends BufferProxy<ByteBuffer> {

  private static final MemoryIO MEMORY = MemoryIO.getInstance();
  private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

  @Override
  protected ByteBuffer allocate() {
    return EMPTY;
  }

  @Override
  protected void deallocate(ByteBuffer buffer) {
    // There is nothing to release: LMDB owns the memory.
  }

  @Override
  protected byte[] getBytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  protected Comparator<ByteBuffer> getSignedComparator() {
    return Comparator.naturalOrder();
  }

  @Override
  protected Comparator<ByteBuffer> getUnsignedComparator() {
    return (a, b) -> Arrays.compareUnsigned(getBytes(a), getBytes(b));
  }

  @Override
  protected Pointer in(ByteBuffer buffer, Pointer struct) {
    struct.putLong(STRUCT_FIELD_OFFSET_SIZE, buffer.remaining());
    struct.putAddress(
        STRUCT_FIELD_OFFSET_DATA, MEMORY.getDirectBufferAddress(buffer) + buffer.position());
    return null;
  }

  /** Requests {@code size} bytes of memory; LMDB sets the address. */
  @Override
  protected Pointer in(ByteBuffer buffer, int size, Pointer struct) {
    struct.putLong(STRUCT_FIELD_OFFSET_SIZE, size);
    struct.putAddress(STRUCT_FIELD_OFFSET_DATA, 0);
    return null;
  }

  @Override
  protected ByteBuffer out(ByteBuffer buffer, Pointer struct) {
    return MEMORY.newDirectByteBuffer(
        struct.getAddress(STRUCT_FIELD_OFFSET_DATA),
        Math.toIntExact(struct.getLong(STRUCT_FIELD_OFFSET_SIZE)));
  }
}
