package io.feedline.gpu.internal;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;

/**
 * The primary context of a GPU, in which streams, events and memory are made.
 *
 * <p>The driver has a current context for each thread. A thread {@linkplain #enter enters} this
 * context before it makes or uses the context's objects, and leaves it afterwards, which makes the
 * previous context current again. {@link PinnedMemory} alone enters the context itself, so that its
 * users need not.
 *
 * <p>The caller that got the context from {@link Cuda#context} closes it, after everything that was
 * made in it. Thread-safe.
 */
public final class CudaContext implements AutoCloseable {

  private final Driver driver;
  private final int device;
  private final int ordinal;
  private final long handle;
  private boolean closed;

  CudaContext(Driver driver, int device, int ordinal, long handle) {
    this.driver = driver;
    this.device = device;
    this.ordinal = ordinal;
    this.handle = handle;
  }

  public int ordinal() {
    return ordinal;
  }

  /**
   * Makes the context current in this thread, until {@link #leave}, which the caller calls in a
   * {@code finally}. Does nothing if the driver has shut down at the end of the process: later
   * calls that only free memory then succeed, and all others fail.
   *
   * @throws IllegalStateException if the context is closed
   */
  public void enter() {
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the context of GPU " + ordinal + " is closed");
      }
    }
    CudaCalls.checkFreed(driver, driver.cuCtxPushCurrent(handle), "cuCtxPushCurrent");
  }

  public void leave() {
    CudaCalls.checkFreed(driver, driver.cuCtxPopCurrent(new long[1]), "cuCtxPopCurrent");
  }

  /**
   * Returns a new stream, which the caller closes. The stream neither waits for the legacy default
   * stream, on which PyTorch computes, nor makes that stream wait. It has the highest priority,
   * which affects its kernels but not its copies.
   */
  public CudaStream newStream() {
    int[] least = new int[1];
    int[] greatest = new int[1];
    CudaCalls.check(
        driver, driver.cuCtxGetStreamPriorityRange(least, greatest), "cuCtxGetStreamPriorityRange");
    long[] stream = new long[1];
    CudaCalls.check(
        driver,
        driver.cuStreamCreateWithPriority(stream, Driver.STREAM_NON_BLOCKING, greatest[0]),
        "cuStreamCreateWithPriority");
    return new CudaStream(driver, stream[0], true);
  }

  /**
   * Returns a wrapper of another owner's stream; closing the wrapper does nothing.
   *
   * @param foreign the stream's handle; 0 for the legacy default stream
   */
  public CudaStream stream(long foreign) {
    return new CudaStream(driver, foreign, false);
  }

  /** Returns a new event that records no time, for streams to wait for. The caller closes it. */
  public CudaEvent newEvent() {
    return event(Driver.EVENT_DISABLE_TIMING);
  }

  /**
   * Returns a new event that records its time. A thread that waits for it sleeps instead of
   * spinning. The caller closes the event.
   */
  public CudaEvent newTimedEvent() {
    return event(Driver.EVENT_BLOCKING_SYNC);
  }

  private CudaEvent event(int flags) {
    long[] event = new long[1];
    CudaCalls.check(driver, driver.cuEventCreate(event, flags), "cuEventCreate");
    return new CudaEvent(driver, event[0]);
  }

  /**
   * Allocates page-locked host memory, from which every GPU can copy. The caller closes the memory
   * before the context, and need not enter the context.
   *
   * @param bytes 1 or more
   * @throws CudaException with {@link CudaException#OUT_OF_MEMORY} if the system refuses the memory
   */
  public PinnedMemory allocatePinned(int bytes) {
    requirePositive(bytes);
    PinnedMemory memory;
    enter();
    try {
      long[] address = new long[1];
      CudaCalls.check(
          driver,
          driver.cuMemHostAlloc(address, bytes, Driver.MEMHOSTALLOC_PORTABLE),
          "cuMemHostAlloc of " + Counts.of(bytes, "byte"));
      memory = new PinnedMemory(this, driver, address[0], bytes);
    } catch (CudaException failure) {
      throw CudaCalls.after(failure, this::leave);
    }
    try {
      leave();
    } catch (CudaException failure) {
      throw CudaCalls.after(failure, memory);
    }
    return memory;
  }

  private static void requirePositive(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be 1 or more, were " + bytes);
    }
  }

  /**
   * Allocates memory of the GPU, which the caller {@linkplain #freeDevice frees}, and returns its
   * address.
   */
  public long allocateDevice(long bytes) {
    requirePositive(bytes);
    long[] address = new long[1];
    CudaCalls.check(
        driver, driver.cuMemAlloc(address, bytes), "cuMemAlloc of " + Counts.of(bytes, "byte"));
    return address[0];
  }

  /** Frees memory of {@link #allocateDevice}; waits for operations that use it. */
  public void freeDevice(long address) {
    CudaCalls.checkFreed(driver, driver.cuMemFree(address), "cuMemFree");
  }

  /** Returns the address of a direct buffer's beginning, regardless of its position. */
  public static long address(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("a direct buffer is needed, was " + direct);
    }
    return Pointer.nativeValue(Native.getDirectBufferPointer(direct));
  }

  public boolean pageLocked(long address) {
    int[] type = new int[1];
    int result = driver.cuPointerGetAttribute(type, Driver.POINTER_ATTRIBUTE_MEMORY_TYPE, address);
    if (result == CudaCalls.INVALID_VALUE) {
      return false; // ordinary memory, which the driver did not allocate
    }
    CudaCalls.check(driver, result, "cuPointerGetAttribute");
    return type[0] == Driver.MEMORYTYPE_HOST;
  }

  /** Releases the context; the driver destroys it when its last user has released it. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      CudaCalls.checkFreed(
          driver, driver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
    }
  }

  @Override
  public String toString() {
    return "CudaContext(GPU " + ordinal + ")";
  }
}
