package io.feedline;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Direct memory whose first byte starts a cache line.
 *
 * <p>Java 17 has no public way to free direct memory: it is freed when the garbage collector finds
 * that nothing refers to it. So a slot that needs more takes half as much again as it had ({@link
 * Slot}), which bounds what waits for the collector to twice what is in use, and {@link
 * CountingAllocator} counts what waits.
 */
final class DirectMemory implements HostAllocator.HostMemory {

  /** A cache line, and the widest vector register. */
  static final int ALIGNMENT = 64;

  private static final Cleaner CLEANER = Cleaner.create();

  /** The whole allocation, which is freed when no slice of it is left. */
  private ByteBuffer allocated;

  private ByteBuffer buffer;

  DirectMemory(int bytes) {
    int padded = Math.addExact(bytes, ALIGNMENT - 1);
    allocated = ByteBuffer.allocateDirect(padded);
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

  /** Adds the memory's size to a count until the collector has freed it; before it is closed. */
  void countUntilFreed(AtomicLong bytes) {
    if (allocated != null) {
      int size = allocated.capacity();
      bytes.addAndGet(size);
      CLEANER.register(allocated, () -> bytes.addAndGet(-size));
    }
  }

  /** Lets go of the buffer. */
  @Override
  public void close() {
    allocated = null;
    buffer = null;
  }
}
