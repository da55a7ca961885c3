package io.feedline.formats.lmdb;

import com.kenai.jffi.MemoryIO;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import jnr.ffi.Pointer;
import org.lmdbjava.BufferProxy;

/**
 * A stretch of memory as LMDB names it: address and length. It is what this package lets lmdbjava
 * handle keys and values as.
 *
 * <p>lmdbjava's own proxies turn a value into a {@link ByteBuffer} by changing the fields of one,
 * which needs {@code --add-opens java.base/java.nio=ALL-UNNAMED} (and sun.nio.ch), or copy it. Here
 * JNI's {@code NewDirectByteBuffer} makes a buffer over the value, by jffi, which lmdbjava stands
 * on already. So values are read in place, and no flag is needed.
 *
 * <p>Mutable; belongs to one transaction, or one thread.
 */
final class NativeBytes {

  static final BufferProxy<NativeBytes> PROXY = new Proxy();

  private static final MemoryIO MEMORY = MemoryIO.getInstance();

  private long address;
  private long length;

  /** Keeps memory of ours reachable as long as its address is in use. */
  private ByteBuffer owner;

  private NativeBytes() {}

  /** A stretch that lies in memory of its own, at first all of it. */
  static NativeBytes allocate(int capacity) {
    NativeBytes bytes = new NativeBytes();
    bytes.owner = ByteBuffer.allocateDirect(capacity);
    bytes.address = MEMORY.getDirectBufferAddress(bytes.owner);
    bytes.length = capacity;
    return bytes;
  }

  /** Fills memory that {@link #allocate} gave, and takes its length for this stretch's. */
  NativeBytes set(byte[] content) {
    owner.put(0, content);
    length = content.length;
    return this;
  }

  /** Fills memory that {@link #allocate} gave with a big-endian number. */
  NativeBytes set(long number) {
    owner.putLong(0, number);
    length = Long.BYTES;
    return this;
  }

  /**
   * A view of the memory, which is only there as long as the transaction is.
   *
   * @throws IllegalStateException if it has 2 GiB or more
   */
  ByteBuffer view() {
    return view(address, length);
  }

  /**
   * A view of some memory.
   *
   * @throws IllegalStateException if it has 2 GiB or more
   */
  static ByteBuffer view(long address, long length) {
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new IllegalStateException(
          "a value of %s bytes; at most %d can be read"
              .formatted(Long.toUnsignedString(length), Integer.MAX_VALUE));
    }
    if (length == 0) {
      return ByteBuffer.allocate(0);
    }
    return MEMORY.newDirectByteBuffer(address, (int) length);
  }

  /** Returns the address of the memory. */
  long address() {
    return address;
  }

  /** A copy of the memory. */
  byte[] copy() {
    ByteBuffer view = view();
    byte[] bytes = new byte[view.remaining()];
    view.get(bytes);
    return bytes;
  }

  private static final class Proxy extends BufferProxy<NativeBytes> {
    @Override
    protected NativeBytes allocate() {
      return new NativeBytes();
    }

    @Override
    protected void deallocate(NativeBytes bytes) {
      // There is nothing to give back: the memory is LMDB's.
    }

    @Override
    protected byte[] getBytes(NativeBytes bytes) {
      return bytes.copy();
    }

    @Override
    protected Comparator<NativeBytes> getSignedComparator() {
      return (a, b) -> Arrays.compare(a.copy(), b.copy());
    }

    @Override
    protected Comparator<NativeBytes> getUnsignedComparator() {
      return (a, b) -> Arrays.compareUnsigned(a.copy(), b.copy());
    }

    @Override
    protected Pointer in(NativeBytes bytes, Pointer struct) {
      struct.putLong(STRUCT_FIELD_OFFSET_SIZE, bytes.length);
      struct.putAddress(STRUCT_FIELD_OFFSET_DATA, bytes.address);
      return null;
    }

    /** To reserve memory: LMDB puts the address in. */
    @Override
    protected Pointer in(NativeBytes bytes, int size, Pointer struct) {
      struct.putLong(STRUCT_FIELD_OFFSET_SIZE, size);
      struct.putAddress(STRUCT_FIELD_OFFSET_DATA, 0);
      return null;
    }

    @Override
    protected NativeBytes out(NativeBytes bytes, Pointer struct) {
      bytes.length = struct.getLong(STRUCT_FIELD_OFFSET_SIZE);
      bytes.address = struct.getAddress(STRUCT_FIELD_OFFSET_DATA);
      return bytes;
    }
  }
}
