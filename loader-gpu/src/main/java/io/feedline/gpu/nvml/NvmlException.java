package io.feedline.gpu.nvml;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.CudaErrors;

/**
 * The failure to watch a GPU: which call failed, the library's code and words for it, and what
 * usually helps. It concerns the watching alone; the GPU may compute all the same.
 *
 * <p>For example {@code nvmlInit failed: Driver Not Loaded (9); the kernel module of NVIDIA's
 * driver is not loaded}.
 */
public final class NvmlException extends RuntimeException {

  /** The {@link #code} where it is not the library that refuses: there is none, or no GPU. */
  public static final int NO_LIBRARY = -1;

  /** The {@link #code} of a GPU that does not tell: one that is divided (MIG). */
  public static final int NOT_SUPPORTED = Nvml.NOT_SUPPORTED;

  private static final long serialVersionUID = 1;

  private final int code;

  private NvmlException(int code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * Throws if a function did not succeed.
   *
   * @param result what it gave
   * @param call its name, for people
   */
  static void check(Nvml nvml, int result, String call) {
    if (result != 0) {
      String hint = hint(result);
      throw new NvmlException(
          result,
          "%s failed: %s (%d)%s"
              .formatted(
                  call, nvml.nvmlErrorString(result), result, hint.isEmpty() ? "" : "; " + hint),
          null);
    }
  }

  /** What to throw where the library cannot be loaded. */
  static NvmlException noLibrary(UnsatisfiedLinkError cause) {
    return new NvmlException(
        NO_LIBRARY,
        "no NVML: %s; the library comes with NVIDIA's driver, and into a container where NVIDIA_DRIVER_CAPABILITIES has utility in it"
            .formatted(CudaErrors.reason(cause)),
        cause);
  }

  /** What to throw where CUDA does not know the GPU. */
  static NvmlException noGpu(int ordinal, CudaException cause) {
    return new NvmlException(
        NO_LIBRARY, "no GPU %d to watch: %s".formatted(ordinal, cause.getMessage()), cause);
  }

  private static String hint(int code) {
    return switch (code) {
      case Nvml.NOT_SUPPORTED -> "a GPU that is divided (MIG) does not tell it as a whole";
      case Nvml.NOT_FOUND -> "nvidia-smi -L lists the GPUs that there are";
      case 9 -> "the kernel module of NVIDIA's driver is not loaded";
      case 15 -> "the GPU has fallen off the bus: the machine must be restarted";
      case 18 ->
          "the library and the kernel module of the driver differ in version: restart after an"
              + " update of the driver";
      default -> "";
    };
  }

  /** Returns the library's {@code nvmlReturn_t}, or {@link #NO_LIBRARY}. */
  public int code() {
    return code;
  }
}
