package io.feedline.gpu;

/** The source of memory for a {@link CopyRing}'s slots on the GPU. */
interface DeviceMemory {

  /** Allocates memory on the GPU, in the thread that fills it; the caller closes the memory. */
  Block allocate(long bytes);

  /**
   * Returns the stream in whose order memory is reused. When a block is allocated, work of the
   * memory's last user may still be pending in this stream. After a block is closed, the memory's
   * next user queues its work in this stream.
   */
  long stream();

  /**
   * A piece of memory on the GPU. The caller closes the block when all uses are done, or when the
   * {@linkplain DeviceMemory#stream stream} waits for all uses.
   */
  interface Block extends AutoCloseable {
    long address();

    @Override
    void close();
  }
}
