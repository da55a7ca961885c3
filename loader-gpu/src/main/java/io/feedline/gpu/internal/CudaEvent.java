package io.feedline.gpu.internal;

import java.util.OptionalDouble;

/**
 * A point in a CUDA stream, for which other streams and threads can wait. An event may be recorded
 * repeatedly. A wait ends when the latest record made before the wait has happened; it ends at once
 * if the event was never recorded.
 *
 * <p>The caller closes the event; a closed event throws {@link IllegalStateException}. Used by
 * threads that have entered the context. Thread-safe.
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

  /**
   * Returns the milliseconds from another event to this event, on the GPU's clock. Both events must
   * record times, and must have happened.
   */
  public float millisSince(CudaEvent start) {
    float[] millis = new float[1];
    CudaCalls.check(
        driver, driver.cuEventElapsedTime(millis, start.handle(), handle()), "cuEventElapsedTime");
    return millis[0];
  }

  /** Returns the result of {@link #millisSince}; empty if either event has not happened yet. */
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
