package io.feedline.gpu.internal;

/**
 * A queue of work on a GPU: operations run in order, while the caller continues.
 *
 * <p>The caller that made a stream by {@link CudaContext#newStream} closes it; a closed stream
 * throws {@link IllegalStateException}. {@link CudaContext#stream} wraps another library's stream.
 * Used by threads that have entered the context. As thread-safe as the driver; only calls of one
 * thread have a defined order.
 */
public final class CudaStream implements AutoCloseable {

  private final Driver driver;
  private final long handle;
  private final boolean owned;
  private boolean closed;

  CudaStream(Driver driver, long handle, boolean owned) {
    this.driver = driver;
    this.handle = handle;
    this.owned = owned;
  }

  /** Returns the handle of an open stream; the driver would crash on a closed stream's handle. */
  private synchronized long handle() {
    if (closed) {
      throw new IllegalStateException("this stream has been closed");
    }
    return handle;
  }

  public void waitFor(CudaEvent event) {
    CudaCalls.check(
        driver, driver.cuStreamWaitEvent(handle(), event.handle(), 0), "cuStreamWaitEvent");
  }

  /** Records an event, which happens when all operations in the stream so far are done. */
  public void record(CudaEvent event) {
    CudaCalls.check(driver, driver.cuEventRecord(event.handle(), handle()), "cuEventRecord");
  }

  /**
   * Copies from host memory to the GPU.
   *
   * @param from an address in host memory, whose content must not change until the copy is done; if
   *     the memory is not page-locked, the driver copies the content before this returns
   */
  public void copyToDevice(long to, long from, long bytes) {
    CudaCalls.check(
        driver, driver.cuMemcpyHtoDAsync(to, from, bytes, handle()), "cuMemcpyHtoDAsync");
  }

  /** Copies within the GPU; the two ranges must not overlap. */
  public void copyOnDevice(long to, long from, long bytes) {
    CudaCalls.check(
        driver, driver.cuMemcpyDtoDAsync(to, from, bytes, handle()), "cuMemcpyDtoDAsync");
  }

  public void copyToHost(long to, long from, long bytes) {
    CudaCalls.check(
        driver, driver.cuMemcpyDtoHAsync(to, from, bytes, handle()), "cuMemcpyDtoHAsync");
  }

  public void synchronize() {
    CudaCalls.checkFreed(driver, driver.cuStreamSynchronize(handle()), "cuStreamSynchronize");
  }

  /**
   * Closes a stream made by {@link CudaContext#newStream}; its queued operations are still carried
   * out.
   */
  @Override
  public synchronized void close() {
    if (owned && !closed) {
      closed = true;
      CudaCalls.checkFreed(driver, driver.cuStreamDestroy(handle), "cuStreamDestroy");
    }
  }
}
