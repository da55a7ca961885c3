package io.feedline.gpu;

/** The source of memory for a {@link CopyRing}'s slots on the GPU. */
interface DeviceMemory {

  /** Allocates memory on the GPU, which the caller closes, in the thread that fills it. */
  Block allocate(long bytes);

  /**
   * Returns the stream in whose order memory is reused. Work on a new block's former contents may
   * still be pending in this stream. The next user of a closed block uses it in this stream, after
   * the work queued before the block was closed.
   */
  long stream();

  /**
   * A piece of memory on the GPU. The caller closes it when each use is done, or when the
   * {@linkplain DeviceMemory#stream stream} waits for each use.
   */
  interface Block extends AutoCloseable {
    long address();

    @Override
    void close();
  }
}
