package io.feedline;

import java.nio.ByteBuffer;

/** Direct memory whose first byte starts a cache line. */
final class DirectMemory implements HostAllocator.HostMemory {

  /** A cache line, and the widest vector register. */
  static final int ALIGNMENT = 64;

  private ByteBuffer buffer;

  DirectMemory(int bytes) {
    int padded = Math.addExact(bytes, ALIGNMENT - 1);
    ByteBuffer allocated = ByteBuffer.allocateDirect(padded);
    int start = (ALIGNMENT - allocated.alignmentOffset(0, ALIGNMENT)) % ALIGNMENT;
    buffer = allocated.slice(start, bytes);
  }

  @Override
  public ByteBuffer buffer() {
    if (buffer == null) {
      throw new IllegalStateException("the memory has been given back");
    }
    return buffer;
  }

  /** Lets go of the buffer: Java 17 offers no other way to free direct memory. */
  @Override
  public void close() {
    buffer = null;
  }
}
