package io.feedline.bench.nvml;

import io.feedline.bench.nvml.GpuMonitor.NvmlException;
import org.jspecify.annotations.Nullable;

/**
 * The functions of NVIDIA's management library that Feedline uses: one method for each, with the
 * function's name without a version suffix, and the same arguments in the same order. Handles are
 * 64-bit numbers; a value that a function returns through a pointer goes into an array.
 *
 * <p>Each gives an {@code nvmlReturn_t}, 0 for success; {@link NvmlException#check} turns others
 * into an exception. The functions are described in NVIDIA's "NVML API" reference manual.
 *
 * <p>Thread-safe, as the library is.
 */
interface Nvml {

  /** For {@link #nvmlDeviceGetSamples}: the share of time in which a kernel was running. */
  int GPU_UTILIZATION_SAMPLES = 1;

  /** {@code NVML_ERROR_NOT_SUPPORTED}. */
  int NOT_SUPPORTED = 3;

  /** {@code NVML_ERROR_NOT_FOUND}: for samples it means that there are no newer ones. */
  int NOT_FOUND = 6;

  /** Counts its calls: each that succeeds needs an {@link #nvmlShutdown} later. */
  int nvmlInit();

  int nvmlShutdown();

  String nvmlErrorString(int result);

  int nvmlDeviceGetHandleByPciBusId(String pciBusId, long[] device);

  /**
   * Both shares in percent, as the driver last measured them.
   *
   * @param utilization {@code nvmlUtilization_t}: of the GPU, of its memory's interface
   */
  int nvmlDeviceGetUtilizationRates(long device, int[] utilization);

  /**
   * Reads the driver's measurements after a moment.
   *
   * @param lastSeenTimeStamp in microseconds; 0 for everything that the driver still remembers
   * @param sampleValType what the values are, by the numbers of {@code nvmlValueType_t}
   * @param sampleCount in: how many samples there is room for; out: how many were returned, or, if
   *     {@code samples} is null, the largest possible number
   * @param samples {@code nvmlSample_t}, two numbers each: the moment, and the value in a union of
   *     eight bytes; or null
   */
  int nvmlDeviceGetSamples(
      long device,
      int type,
      long lastSeenTimeStamp,
      int[] sampleValType,
      int[] sampleCount,
      long @Nullable [] samples);

  /**
   * The memory's state.
   *
   * @param memory {@code nvmlMemory_t}: total, free and used bytes
   */
  int nvmlDeviceGetMemoryInfo(long device, long[] memory);
}
