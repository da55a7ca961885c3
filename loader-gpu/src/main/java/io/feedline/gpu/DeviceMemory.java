package io.feedline.gpu;

/** The source of memory for a {@link CopyRing}'s slots on the GPU. */
interface DeviceMemory {

  /** Allocates memory on the GPU, which the caller closes, in the thread that fills it. */
  Block allocate(long bytes);

  /**
   * The stream in whose order memory is handed on: work may still be pending in it that used a
   * block before it was given, and the next user of a block that was closed uses it in this stream,
   * behind the work that has been put in by then.
   */
  long stream();

  /**
   * A piece of memory on the GPU. The caller closes it when each use is done, or the {@linkplain
   * DeviceMemory#stream stream} has been told to wait for it.
   */
  interface Block extends AutoCloseable {
    long address();

    @Override
    void close();
  }
}
