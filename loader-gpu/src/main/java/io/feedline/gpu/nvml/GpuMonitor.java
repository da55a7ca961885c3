package io.feedline.gpu.nvml;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import java.util.OptionalDouble;

/**
 * Tells how busy a GPU is, by NVIDIA's management library (NVML): what {@code nvidia-smi} shows,
 * for the program that keeps the GPU busy.
 *
 * <pre>{@code
 * try (GpuMonitor gpu = GpuMonitor.open(0)) {
 *   for (...) {
 *     step();
 *     gpu.poll(); // every few seconds would do
 *   }
 *   gpu.utilization().ifPresent(percent -> ...);
 * }
 * }</pre>
 *
 * <p>Utilisation is the share of time in which some kernel was running: 100 percent says that the
 * GPU never waited, not that it was used well.
 *
 * <p>The driver measures once to six times a second and remembers the last so many samples. {@link
 * #poll} fetches those that are new, so that a mean is one over everything that was measured, and
 * not over a few moments. Where a GPU does not keep samples ({@link #hasSamples}), each poll takes
 * the driver's present figure instead.
 *
 * <p>Other processes on the GPU are seen too. Watching needs no CUDA context, and neither starts
 * nor disturbs work on the GPU. The caller closes it. Thread-safe.
 */
public final class GpuMonitor implements AutoCloseable {

  /**
   * The memory of a GPU, as all processes together use it.
   *
   * @param usedBytes by processes and by the driver
   * @param totalBytes of the GPU
   */
  public record Memory(long usedBytes, long totalBytes) {}

  /** The numbers of an {@code nvmlSample_t}. */
  private static final int SAMPLE_LONGS = 2;

  private final Nvml nvml;
  private final String pciBusId;
  private final long device;

  /** Room for all samples that the driver may have; null if this GPU has none. */
  private final long[] samples;

  private long lastSeenMicros;
  private double sum;
  private long count;
  private boolean closed;

  private GpuMonitor(Nvml nvml, String pciBusId) {
    this.nvml = nvml;
    this.pciBusId = pciBusId;
    long[] handle = new long[1];
    check(nvml.nvmlDeviceGetHandleByPciBusId(pciBusId, handle), "nvmlDeviceGetHandleByPciBusId");
    this.device = handle[0];
    this.samples = sampleBuffer();
    // What was measured before does not count, and what cannot be read is known from the beginning.
    fetch();
    reset();
  }

  /**
   * Begins to watch a GPU of this process.
   *
   * @param ordinal CUDA's and DJL's number of the GPU; the library counts GPUs in another order,
   *     and is asked for the one at the same place on the bus
   * @throws NvmlException if there is no driver, no such GPU, or it does not tell its utilisation;
   *     the message says which
   */
  public static GpuMonitor open(int ordinal) {
    String pciBusId;
    try {
      pciBusId = Cuda.load().pciBusId(ordinal);
    } catch (CudaException e) {
      throw NvmlException.noGpu(ordinal, e);
    }
    return open(pciBusId);
  }

  /**
   * Begins to watch the GPU at a place on the bus.
   *
   * @param pciBusId as {@link Cuda#pciBusId} gives it, for example {@code 0000:1B:00.0}
   * @throws NvmlException if there is no driver, no such GPU, or it does not tell its utilisation;
   *     the message says which
   */
  public static GpuMonitor open(String pciBusId) {
    Nvml nvml;
    try {
      nvml = NativeNvml.load();
    } catch (UnsatisfiedLinkError e) {
      throw NvmlException.noLibrary(e);
    }
    return open(nvml, pciBusId);
  }

  /** Begins to watch through any library. */
  static GpuMonitor open(Nvml nvml, String pciBusId) {
    NvmlException.check(nvml, nvml.nvmlInit(), "nvmlInit");
    try {
      return new GpuMonitor(nvml, pciBusId);
    } catch (Throwable failure) {
      nvml.nvmlShutdown(); // what failed first is what to tell
      throw failure;
    }
  }

  private long[] sampleBuffer() {
    int[] most = new int[1];
    int result =
        nvml.nvmlDeviceGetSamples(device, Nvml.GPU_UTILIZATION_SAMPLES, 0, new int[1], most, null);
    return result == 0 && most[0] > 0 ? new long[SAMPLE_LONGS * most[0]] : null;
  }

  /** Whether the mean is over the driver's samples; otherwise it is over the moments of polls. */
  public boolean hasSamples() {
    return samples != null;
  }

  /**
   * Takes in what the driver has measured since the last call. The driver remembers a limited
   * number of samples, which NVIDIA does not state; to miss none, call this every few seconds.
   *
   * @throws NvmlException if the GPU no longer tells
   * @throws IllegalStateException if this is closed
   */
  public synchronized void poll() {
    requireOpen();
    fetch();
  }

  /**
   * The mean utilisation since the last call of this method, or since the opening; empty if the
   * driver has measured nothing in between. Polls once.
   *
   * @return percent, 0 to 100
   * @throws NvmlException if the GPU no longer tells
   * @throws IllegalStateException if this is closed
   */
  public synchronized OptionalDouble utilization() {
    requireOpen();
    fetch();
    OptionalDouble mean = count == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / count);
    reset();
    return mean;
  }

  /**
   * The state of the GPU's memory now.
   *
   * @throws NvmlException if the GPU no longer tells
   * @throws IllegalStateException if this is closed
   */
  public synchronized Memory memory() {
    requireOpen();
    long[] memory = new long[3]; // total, free, used
    check(nvml.nvmlDeviceGetMemoryInfo(device, memory), "nvmlDeviceGetMemoryInfo");
    return new Memory(memory[2], memory[0]);
  }

  private void fetch() {
    if (samples == null) {
      int[] rates = new int[2]; // of the GPU, of its memory
      check(nvml.nvmlDeviceGetUtilizationRates(device, rates), "nvmlDeviceGetUtilizationRates");
      add(rates[0]);
      return;
    }
    int[] type = new int[1];
    int[] given = {samples.length / SAMPLE_LONGS};
    int result =
        nvml.nvmlDeviceGetSamples(
            device, Nvml.GPU_UTILIZATION_SAMPLES, lastSeenMicros, type, given, samples);
    if (result == Nvml.NOT_FOUND) {
      return; // nothing is newer
    }
    check(result, "nvmlDeviceGetSamples");
    long newest = lastSeenMicros;
    for (int i = 0; i < given[0]; i++) {
      long micros = samples[SAMPLE_LONGS * i];
      if (micros > lastSeenMicros) {
        add(NvmlValue.of(type[0], samples[SAMPLE_LONGS * i + 1]));
        newest = Math.max(newest, micros);
      }
    }
    lastSeenMicros = newest;
  }

  private void add(double percent) {
    sum += percent;
    count++;
  }

  private void reset() {
    sum = 0;
    count = 0;
  }

  private void check(int result, String call) {
    NvmlException.check(nvml, result, call + " of GPU " + pciBusId);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the monitor of GPU " + pciBusId + " is closed");
    }
  }

  /** Ends the watching. May be called twice; other monitors go on. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      NvmlException.check(nvml, nvml.nvmlShutdown(), "nvmlShutdown");
    }
  }

  /** For example {@code GpuMonitor(0000:1B:00.0)}. */
  @Override
  public String toString() {
    return "GpuMonitor(" + pciBusId + ")";
  }
}
