package io.feedline.gpu.internal;

import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;

/** The results of the driver's calls, made exceptions where they are failures. */
final class CudaCalls {

  /** {@code CUDA_ERROR_INVALID_VALUE}. */
  static final int INVALID_VALUE = 1;

  /** {@code CUDA_ERROR_DEINITIALIZED}: the process is ending, and the driver went before us. */
  private static final int DEINITIALIZED = 4;

  private CudaCalls() {}

  /**
   * Makes a failed call an exception.
   *
   * @param result what the call returned
   * @param call the function's name and what there is to say of this call
   * @throws CudaException if the result is not 0
   */
  static void check(Driver driver, int result, String call) {
    if (result != 0) {
      throw failure(driver, result, call);
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

  /** The same failure, after a cleanup; if that fails too, its failure is added. */
  static CudaException after(CudaException failure, Runnable cleanup) {
    try {
      cleanup.run();
    } catch (RuntimeException another) {
      failure.addSuppressed(another);
    }
    return failure;
  }

  static CudaException failure(Driver driver, int result, String call) {
    String name = name(driver, result);
    return new CudaException(
        result,
        name,
        call,
        "%s failed: %s (%d)".formatted(call, name, result),
        CudaErrors.hint(result, call),
        CudaErrors.sticky(result),
        null);
  }

  /** There is no driver, or none that can be used. */
  static CudaException noDriver(UnsatisfiedLinkError cause) {
    return new CudaException(
        CudaException.NO_DRIVER,
        "no CUDA driver",
        "loading " + NativeDriver.libraryName(),
        "no CUDA driver: " + CudaErrors.reason(cause),
        "install NVIDIA's driver, or start the container with its GPUs (docker run --gpus all)",
        false,
        cause);
  }

  private static String name(Driver driver, int result) {
    long[] text = new long[1];
    if (driver.cuGetErrorName(result, text) == 0 && text[0] != 0) {
      return new Pointer(text[0]).getString(0);
    }
    return "an error that the driver does not name";
  }
}
