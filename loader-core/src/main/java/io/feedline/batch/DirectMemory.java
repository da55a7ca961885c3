package io.feedline.batch;

import io.feedline.internal.FreedLater;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Direct memory whose first byte starts a cache line.
 *
 * <p>Java 17 has no public way to free direct memory: it is freed when the garbage collector finds
 * that nothing refers to it. So a slot of a loader that is too small grows by half at least; then
 * the memory that waits for the collector is at most twice the memory in use. {@link
 * #countUntilFreed} counts the waiting memory.
 */
final class DirectMemory implements HostAllocator.HostMemory, FreedLater {

  /** The alignment in bytes: the size of a cache line, and of the widest vector register. */
  private static final int ALIGNMENT = 64;

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

  @Override
  public void countUntilFreed(AtomicLong bytes) {
    if (allocated != null) {
      int size = allocated.capacity();
      bytes.addAndGet(size);
      CLEANER.register(allocated, () -> bytes.addAndGet(-size));
    }
  }

  @Override
  public void close() {
    allocated = null;
    buffer = null;
  }
}
