package io.feedline.gpu.internal;

import com.sun.jna.Pointer;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.internal.Closing;

final class CudaCalls {

  static final int INVALID_VALUE = 1;

  /**
   * {@code CUDA_ERROR_DEINITIALIZED}: the process is ending, and the driver has shut down already.
   */
  private static final int DEINITIALIZED = 4;

  private CudaCalls() {}

  static void check(Driver driver, int result, String call) {
    if (result != 0) {
      throw failure(driver, result, call);
    }
  }

  /**
   * Checks the result of a call that frees or waits. A driver that has shut down at the end of the
   * process is not a failure: it has freed everything, and no work is under way.
   */
  static void checkFreed(Driver driver, int result, String call) {
    if (result != DEINITIALIZED) {
      check(driver, result, call);
    }
  }

  /** Runs a cleanup, and returns the failure, with the cleanup's own failure as suppressed. */
  static CudaException after(CudaException failure, AutoCloseable cleanup) {
    Closing.afterFailure(failure, cleanup);
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
