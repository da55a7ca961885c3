package io.feedline.gpu.cuda;

import com.sun.jna.Pointer;

/**
 * A call of the CUDA driver that failed: which call, the driver's code and name for the failure,
 * and what usually helps.
 *
 * <p>For example {@code cuMemHostAlloc of 77070336 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2); the
 * system gives no more page-locked memory: ...}.
 */
public final class CudaException extends RuntimeException {

  /** The {@link #code} where there is no driver to give one. */
  public static final int NO_DRIVER = -1;

  /** {@code CUDA_ERROR_INVALID_VALUE}. */
  static final int INVALID_VALUE = 1;

  /** {@code CUDA_ERROR_OUT_OF_MEMORY}. */
  public static final int OUT_OF_MEMORY = 2;

  /** {@code CUDA_ERROR_DEINITIALIZED}: the process is ending, and the driver went before us. */
  static final int DEINITIALIZED = 4;

  private static final long serialVersionUID = 1;

  private final int code;
  private final String name;
  private final String call;
  private final String hint;

  private CudaException(
      int code, String name, String call, String what, String hint, Throwable cause) {
    super(hint.isEmpty() ? what : what + "; " + hint, cause);
    this.code = code;
    this.name = name;
    this.call = call;
    this.hint = hint;
  }

  /**
   * Makes a failed call an exception.
   *
   * @param result what the call returned
   * @param call the function's name and what there is to say of this call
   * @throws CudaException if the result is not 0
   */
  static void check(Driver driver, int result, String call) {
    if (result != 0) {
      throw of(driver, result, call);
    }
  }

  /**
   * As {@link #check}, for what frees or waits: that the driver has gone first, at the end of the
   * process, is no failure. It has freed everything, and nothing is under way.
   */
  static void checkFreed(Driver driver, int result, String call) {
    if (result != DEINITIALIZED) {
      check(driver, result, call);
    }
  }

  /** This failure, once something was cleaned up after it; if that fails too, it is added. */
  CudaException after(Runnable cleanup) {
    try {
      cleanup.run();
    } catch (RuntimeException another) {
      addSuppressed(another);
    }
    return this;
  }

  static CudaException of(Driver driver, int result, String call) {
    String name = name(driver, result);
    return new CudaException(
        result,
        name,
        call,
        "%s failed: %s (%d)".formatted(call, name, result),
        CudaErrors.hint(result, call),
        null);
  }

  /** There is no driver, or none that can be used. */
  static CudaException noDriver(UnsatisfiedLinkError cause) {
    return new CudaException(
        NO_DRIVER,
        "no CUDA driver",
        "loading " + NativeDriver.libraryName(),
        "no CUDA driver: " + CudaErrors.reason(cause),
        "install NVIDIA's driver, or start the container with its GPUs (docker run --gpus all)",
        cause);
  }

  private static String name(Driver driver, int result) {
    long[] text = new long[1];
    if (driver.cuGetErrorName(result, text) == 0 && text[0] != 0) {
      return new Pointer(text[0]).getString(0);
    }
    return "an error that the driver does not name";
  }

  /** The driver's {@code CUresult}, or {@link #NO_DRIVER}. */
  public int code() {
    return code;
  }

  /** The driver's name for it, for example {@code CUDA_ERROR_OUT_OF_MEMORY}. */
  public String name() {
    return name;
  }

  /** The call that failed, for example {@code cuMemHostAlloc of 4096 bytes}. */
  public String call() {
    return call;
  }

  /** What usually helps, or empty. */
  public String hint() {
    return hint;
  }

  /**
   * Whether the error stays: the driver then answers every later call in this process with it, and
   * only a new process can use the GPU again.
   */
  public boolean sticky() {
    return CudaErrors.sticky(code);
  }
}
