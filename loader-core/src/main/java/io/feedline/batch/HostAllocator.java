package io.feedline.batch;

import java.nio.ByteBuffer;

/**
 * The source of the memory of batches. A loader has a ring of slots, each with the memory of one
 * batch. It allocates a slot's memory when the slot is first used, and again only if batches grow.
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
   * Returns the number of bytes that the allocator can provide of its own kind of memory,
   * page-locked memory for example, before it falls back to another kind. A loader that tunes
   * itself prepares no more batches ahead than fit into these bytes. Default {@link
   * Long#MAX_VALUE}: no limit.
   */
  default long budget() {
    return Long.MAX_VALUE;
  }

  /**
   * Returns direct memory of the JVM, aligned to 64 bytes. It counts against {@code
   * -XX:MaxDirectMemorySize}, and is freed when the garbage collector finds that nothing refers to
   * it any more.
   */
  static HostAllocator direct() {
    return DirectMemory::new;
  }

  /** A piece of host memory; the code that allocated it closes it. Not thread-safe. */
  interface HostMemory extends AutoCloseable {
    /**
     * Returns the whole memory: a direct buffer, position 0, limit the number of bytes asked for.
     *
     * @throws IllegalStateException if the memory has been closed
     */
    ByteBuffer buffer();

    /** Frees the memory; may be called twice. The memory must not be used afterwards. */
    @Override
    void close();
  }
}
