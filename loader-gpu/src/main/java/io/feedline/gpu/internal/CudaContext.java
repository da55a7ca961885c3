package io.feedline.gpu.internal;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;

/**
 * The primary context of a GPU, retained. Streams, events and memory are made in it.
 *
 * <p>The driver has a current context for each thread. A thread {@linkplain #enter enters} this
 * context before it makes or uses the context's objects, and leaves it afterwards, which makes the
 * former context current again. Only {@link PinnedMemory} enters by itself, because its users know
 * nothing of contexts.
 *
 * <p>The caller that got it from {@link Cuda#context} closes it, after everything that was made in
 * it. Thread-safe.
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
   * Makes the context current in this thread. To be followed by {@link #leave}, in a {@code
   * finally}. If the driver has gone, at the end of the process, this does nothing, so that calls
   * that only free memory succeed; all else fails by itself.
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
   * A stream that neither waits for the legacy default stream, on which PyTorch computes, nor makes
   * it wait. It has the highest priority, which affects its kernels but not its copies. The caller
   * closes it.
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
   * A stream that another owner made; closing it here does nothing.
   *
   * @param foreign 0 is the legacy default stream
   */
  public CudaStream stream(long foreign) {
    return new CudaStream(driver, foreign, false);
  }

  /** An event that streams wait for, without a time. The caller closes it. */
  public CudaEvent newEvent() {
    return event(Driver.EVENT_DISABLE_TIMING);
  }

  /**
   * An event that knows when it happened, and lets a thread that waits for it sleep. The caller
   * closes it.
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
   * Page-locked host memory, which every GPU copies from, to be closed before the context. May be
   * called without having entered the context.
   *
   * @param bytes 1 or more
   * @throws CudaException if the system gives none, with {@link CudaException#OUT_OF_MEMORY}
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

  /** The caller {@linkplain #freeDevice frees} the address. */
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
      return false; // the driver does not know ordinary memory
    }
    CudaCalls.check(driver, result, "cuPointerGetAttribute");
    return type[0] == Driver.MEMORYTYPE_HOST;
  }

  /** The context ends with its last user. */
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
