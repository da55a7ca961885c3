package io.feedline.bench.nvml;

import io.feedline.bench.nvml.GpuMonitor.NvmlException;
import org.jspecify.annotations.Nullable;

/**
 * The functions of NVIDIA's management library that Feedline uses. A method has the function's
 * name, without a version suffix, and the same arguments in the same order. Handles are 64-bit
 * numbers; a value that a function returns through a pointer goes into an array.
 *
 * <p>Each method returns an {@code nvmlReturn_t}, 0 for success; {@link NvmlException#check} throws
 * an exception for any other code. The functions are described in NVIDIA's "NVML API" reference
 * manual.
 *
 * <p>Thread-safe, as the library is.
 */
interface Nvml {

  /** A type of samples: the fraction of time in which a kernel was running. */
  int GPU_UTILIZATION_SAMPLES = 1;

  /** {@code NVML_ERROR_NOT_SUPPORTED}. */
  int NOT_SUPPORTED = 3;

  /** {@code NVML_ERROR_NOT_FOUND}: for samples it means that there are no newer ones. */
  int NOT_FOUND = 6;

  /** Initializes the library. Each successful call needs a later {@link #nvmlShutdown}. */
  int nvmlInit();

  int nvmlShutdown();

  String nvmlErrorString(int result);

  int nvmlDeviceGetHandleByPciBusId(String pciBusId, long[] device);

  /**
   * Returns the load of the GPU and of its memory in percent, as the driver last measured it.
   *
   * @param utilization {@code nvmlUtilization_t}: of the GPU, of its memory's interface
   */
  int nvmlDeviceGetUtilizationRates(long device, int[] utilization);

  /**
   * Returns the driver's measurements after a time.
   *
   * @param lastSeenTimeStamp the time in microseconds; 0 for all measurements that the driver still
   *     has
   * @param sampleValType out: the type of the values, a number of {@code nvmlValueType_t}
   * @param sampleCount in: the number of samples that fit; out: the number of returned samples; if
   *     {@code samples} is null, the largest possible number
   * @param samples {@code nvmlSample_t}, two numbers for each sample: the time, and the value in a
   *     union of eight bytes; or null
   */
  int nvmlDeviceGetSamples(
      long device,
      int type,
      long lastSeenTimeStamp,
      int[] sampleValType,
      int[] sampleCount,
      long @Nullable [] samples);
}
