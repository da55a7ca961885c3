package io.feedline.gpu;

/** Where the memory of a {@link CopyRing}'s slots on the GPU comes from. */
interface DeviceMemory {

  /**
   * Allocates memory on the GPU, in the thread that fills it.
   *
   * @param bytes more than 0
   * @return the memory, owned by the caller, who closes it
   */
  Block allocate(long bytes);

  /**
   * The stream on which work may still be pending that used the memory before it was given: an
   * allocator that serves one stream hands a block on as soon as its last use has been put into
   * that stream.
   */
  long stream();

  /** A piece of memory on the GPU; whoever allocated it closes it when nothing uses it any more. */
  interface Block extends AutoCloseable {
    long address();

    @Override
    void close();
  }
}
