package io.feedline.gpu.cuda;

import org.jspecify.annotations.Nullable;

/**
 * The failure of a call of the CUDA driver: the call, the driver's code and name for the failure,
 * and a usual remedy.
 *
 * <p>For example {@code cuMemHostAlloc of 77070336 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (2); no
 * more memory can be page-locked, ...}.
 */
public final class CudaException extends RuntimeException {

  /** The {@link #code} of a failure to find the driver; not a code of CUDA. */
  public static final int NO_DRIVER = -1;

  /** The {@link #code} of {@code CUDA_ERROR_OUT_OF_MEMORY}. */
  public static final int OUT_OF_MEMORY = 2;

  private static final long serialVersionUID = 1;

  private final int code;
  private final String name;
  private final String call;
  private final String hint;
  private final boolean sticky;

  /**
   * Creates an exception; used by Feedline's binding of the driver.
   *
   * @param code the driver's code, or {@link #NO_DRIVER}
   * @param name the driver's name for the code
   * @param call the function's name and the arguments that matter
   * @param what the message, to which the hint is added
   * @param hint the usual remedy, or empty
   * @param sticky true if only a new process can use the GPU again
   * @param cause the cause, or null
   */
  public CudaException(
      int code,
      String name,
      String call,
      String what,
      String hint,
      boolean sticky,
      @Nullable Throwable cause) {
    super(hint.isEmpty() ? what : what + "; " + hint, cause);
    this.code = code;
    this.name = name;
    this.call = call;
    this.hint = hint;
    this.sticky = sticky;
  }

  /** Returns the driver's {@code CUresult}, or {@link #NO_DRIVER}. */
  public int code() {
    return code;
  }

  /** Returns the driver's name for the code, for example {@code CUDA_ERROR_OUT_OF_MEMORY}. */
  public String name() {
    return name;
  }

  /** Returns the call that failed, for example {@code cuMemHostAlloc of 4096 bytes}. */
  public String call() {
    return call;
  }

  /** Returns the usual remedy, in words; empty if none is known. */
  public String hint() {
    return hint;
  }

  /**
   * Returns whether the error stays: every later call of the driver in this process then fails with
   * it, and only a new process can use the GPU again.
   */
  public boolean sticky() {
    return sticky;
  }
}
