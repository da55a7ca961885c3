package io.feedline.gpu.internal;

import java.util.OptionalDouble;

/**
 * A mark in a stream, which other streams and threads wait for. An event may be recorded
 * repeatedly; a wait is for the last record before the wait, and ends at once if the event was
 * never recorded.
 *
 * <p>The caller closes it; a closed event throws {@link IllegalStateException}. To be used by a
 * thread that has entered the context. Thread-safe.
 */
public final class CudaEvent implements AutoCloseable {

  private final Driver driver;
  private final long handle;
  private boolean closed;

  CudaEvent(Driver driver, long handle) {
    this.driver = driver;
    this.handle = handle;
  }

  synchronized long handle() {
    if (closed) {
      throw new IllegalStateException("this event has been closed");
    }
    return handle;
  }

  public void synchronize() {
    CudaCalls.checkFreed(driver, driver.cuEventSynchronize(handle()), "cuEventSynchronize");
  }

  /** On the GPU's clock; both events have happened, and both were made with a time. */
  public float millisSince(CudaEvent start) {
    float[] millis = new float[1];
    CudaCalls.check(
        driver, driver.cuEventElapsedTime(millis, start.handle(), handle()), "cuEventElapsedTime");
    return millis[0];
  }

  /** Like {@link #millisSince}; empty if either event has not happened yet. */
  public OptionalDouble millisSinceIfHappened(CudaEvent start) {
    float[] millis = new float[1];
    int result = driver.cuEventElapsedTime(millis, start.handle(), handle());
    if (result == Driver.NOT_READY) {
      return OptionalDouble.empty();
    }
    CudaCalls.check(driver, result, "cuEventElapsedTime");
    return OptionalDouble.of(millis[0]);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      CudaCalls.checkFreed(driver, driver.cuEventDestroy(handle), "cuEventDestroy");
    }
  }
}
