package io.feedline.gpu.internal;

/**
 * A queue of work on a GPU: operations run in order, while the caller continues.
 *
 * <p>A stream that was {@linkplain CudaContext#newStream made} here is its maker's to close, and
 * then throws {@link IllegalStateException}; {@link CudaContext#stream} wraps another library's
 * stream. To be used by a thread that has entered the context. Thread-safe as far as the driver is;
 * order is defined only between calls of one thread.
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

  /** The driver would take a closed stream's handle for a pointer, and crash. */
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

  /** The event happens when all operations in the stream so far are done. */
  public void record(CudaEvent event) {
    CudaCalls.check(driver, driver.cuEventRecord(event.handle(), handle()), "cuEventRecord");
  }

  /**
   * Copies from host memory to the GPU.
   *
   * @param from an address in host memory, which must stay as it is until the copy is done; if it
   *     is not page-locked the driver takes its content, by a copy of its own, before this returns
   */
  public void copyToDevice(long to, long from, long bytes) {
    CudaCalls.check(
        driver, driver.cuMemcpyHtoDAsync(to, from, bytes, handle()), "cuMemcpyHtoDAsync");
  }

  /** The two places do not overlap. */
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

  /** A stream that was made here ends when its operations are done. */
  @Override
  public synchronized void close() {
    if (owned && !closed) {
      closed = true;
      CudaCalls.checkFreed(driver, driver.cuStreamDestroy(handle), "cuStreamDestroy");
    }
  }
}
