package io.feedline.batch;

import java.nio.ByteBuffer;

/**
 * The source of the memory of batches. A loader allocates the memory of each slot of its ring once,
 * when the slot is first used, and again only if batches grow.
 *
 * <p>Thread-safe.
 */
@FunctionalInterface
public interface HostAllocator {
  /**
   * Allocates memory.
   *
   * @param bytes more than 0
   * @return the memory, owned by the caller, who closes it
   * @throws OutOfMemoryError if the memory is used up
   */
  HostMemory allocate(int bytes);

  /**
   * Returns the number of bytes that the allocator gives of its own kind of memory, page-locked
   * memory for example, before it falls back to another kind. A loader that tunes itself prepares
   * no more batches ahead than fit. Default {@link Long#MAX_VALUE}: any.
   */
  default long budget() {
    return Long.MAX_VALUE;
  }

  /**
   * Returns direct memory of the JVM, aligned to 64 bytes. It counts against {@code
   * -XX:MaxDirectMemorySize}, and is given back when the garbage collector finds that nothing
   * refers to it any more.
   */
  static HostAllocator direct() {
    return DirectMemory::new;
  }

  /** A piece of host memory; its owner, who allocated it, closes it. Not thread-safe. */
  interface HostMemory extends AutoCloseable {
    /**
     * Returns all of it: a direct buffer, position 0, limit the number of bytes asked for.
     *
     * @throws IllegalStateException if it has been given back
     */
    ByteBuffer buffer();

    /** Gives it back; may be called twice. The memory must not be used afterwards. */
    @Override
    void close();
  }
}
