package io.feedline.gpu.internal;

import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;
import java.nio.ByteBuffer;

/**
 * A piece of page-locked host memory. The caller closes it when no copy from it is under way;
 * afterwards its buffer must not be used. Any thread may use and close it, in any context.
 */
public final class PinnedMemory implements AutoCloseable {

  private final CudaContext context;
  private final Driver driver;
  private final long address;
  private final int bytes;
  private final ByteBuffer buffer;
  private boolean closed;

  PinnedMemory(CudaContext context, Driver driver, long address, int bytes) {
    this.context = context;
    this.driver = driver;
    this.address = address;
    this.bytes = bytes;
    this.buffer = new Pointer(address).getByteBuffer(0, bytes);
  }

  public synchronized long address() {
    requireOpen();
    return address;
  }

  public int bytes() {
    return bytes;
  }

  /**
   * Returns all of the memory as a direct buffer at position 0, in the machine's byte order; always
   * the same object.
   */
  public synchronized ByteBuffer buffer() {
    requireOpen();
    return buffer;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this page-locked memory has been freed");
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      context.enter();
      try {
        CudaCalls.checkFreed(driver, driver.cuMemFreeHost(address), "cuMemFreeHost");
      } catch (CudaException failure) {
        throw CudaCalls.after(failure, context::leave);
      }
      context.leave();
    }
  }
}
