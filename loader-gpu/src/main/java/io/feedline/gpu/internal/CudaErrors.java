package io.feedline.gpu.internal;

import io.feedline.gpu.cuda.CudaException;

/**
 * The list of failures that persist, and remedies for failures that users meet (CUDA Driver API
 * reference manual, {@code CUresult}).
 */
public final class CudaErrors {
  private CudaErrors() {}

  /**
   * Tests whether an error persists. According to the manual, most of these errors leave the
   * process in an inconsistent state, and all further work returns the same error. The manual does
   * not say this of the uncorrectable errors of memory and links, nor of the unknown error, but no
   * program continues after these either.
   */
  static boolean sticky(int code) {
    return switch (code) {
      case 214, // ECC_UNCORRECTABLE
          220, // NVLINK_UNCORRECTABLE
          226, // CONTAINED
          700, // ILLEGAL_ADDRESS
          702, // LAUNCH_TIMEOUT
          710, // ASSERT
          714, // HARDWARE_STACK_ERROR
          715, // ILLEGAL_INSTRUCTION
          716, // MISALIGNED_ADDRESS
          717, // INVALID_ADDRESS_SPACE
          718, // INVALID_PC
          719, // LAUNCH_FAILED
          721, // TENSOR_MEMORY_LEAK
          911, // EXTERNAL_DEVICE
          999 // UNKNOWN
          ->
          true;
      default -> false;
    };
  }

  /** Returns the remedy for a failure; empty if none is known. */
  static String hint(int code, String call) {
    if (code == 999 && (call.equals("cuInit") || call.startsWith("cuDevicePrimaryCtxRetain"))) {
      return "the GPU does not start: see nvidia-smi for its compute mode and state, and whether the"
          + " module nvidia-uvm is loaded";
    }
    if (sticky(code)) {
      return "an earlier kernel or copy failed in the GPU; the error stays until the process is"
          + " started anew (CUDA_LAUNCH_BLOCKING=1 finds the kernel)";
    }
    return switch (code) {
      case CudaException.OUT_OF_MEMORY ->
          call.startsWith("cuMemHostAlloc")
              ? "no more memory can be page-locked, which is bounded by the memory of the machine or"
                  + " of its container (cgroup) and by the driver, not by ulimit -l: lower the batch"
                  + " size, the prefetching or the allocator's budget, or give the container more"
                  + " memory"
              : "the GPU's memory is full: lower the batch size or prefetchToDevice";
      case 3 -> "cuInit was not called or failed";
      case 34 ->
          "this is the stub of a CUDA toolkit, made for linking: take its folder off the library"
              + " path, so that the driver's own library is found";
      case 46 -> "another process has the GPU for itself: see nvidia-smi's compute mode";
      case 100 ->
          "the driver sees no GPU: look at CUDA_VISIBLE_DEVICES, and whether the container was"
              + " started with GPUs (docker run --gpus all)";
      case 101 -> "there is no GPU of this number: nvidia-smi -L lists those there are";
      case 201 -> "no context is current in this thread";
      case 802 -> "the system is not ready: is NVIDIA's Fabric Manager running?";
      case 803 ->
          "the library and the kernel module of the driver differ in version: restart after an"
              + " update of the driver, or take an older compatibility library out of the container";
      case 804 -> "the compatibility library in the container does not support this GPU";
      default -> "";
    };
  }

  /** Returns the line of JNA's message that says why a library cannot be loaded. */
  public static String reason(UnsatisfiedLinkError failure) {
    // If JNA searched in several places, the message has a title and then a line for each place.
    return String.valueOf(failure.getMessage())
        .lines()
        .limit(2)
        .reduce((title, reason) -> reason)
        .orElse("");
  }
}
