package io.feedline.bench.nvml;

import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaErrors;
import java.util.DoubleSummaryStatistics;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A monitor of the load of a GPU, by NVIDIA's management library (NVML). It reports the figures of
 * {@code nvidia-smi} to the program that uses the GPU.
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
 * <p>Utilization is the fraction of time in which some kernel was running. 100 percent means that
 * the GPU never waited, not that it was used well.
 *
 * <p>The driver measures once to six times a second and remembers a limited number of samples.
 * {@link #poll} fetches the new samples, so a mean is over all measurements. Some GPUs and virtual
 * machines keep no samples, or report support for samples but return none. Then a mean is over the
 * driver's current figure at each poll ({@link #hasSamples}): poll evenly, a few times a second.
 *
 * <p>The load of other processes on the GPU is included. A monitor needs no CUDA context, and does
 * not disturb work on the GPU. The caller closes the monitor. Thread-safe.
 */
public final class GpuMonitor implements AutoCloseable {

  /** The number of longs of an {@code nvmlSample_t}. */
  private static final int SAMPLE_LONGS = 2;

  /** The longest time between two measurements of the driver, by NVML's manual. */
  static final long LONGEST_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Nvml nvml;
  private final String pciBusId;
  private final LongSupplier nanoClock;
  private final long device;

  /** Memory for all samples that the driver may have; null if this GPU keeps no samples. */
  private final long @Nullable [] samples;

  private DoubleSummaryStatistics sampled = new DoubleSummaryStatistics();

  /** The current figure at each poll since the last mean, while the driver gives no samples. */
  private DoubleSummaryStatistics polled = new DoubleSummaryStatistics();

  /** The time of the last sample; 0 before the first. */
  private long lastSeenMicros;

  private long intervalStart;
  private boolean lastWasSampled;
  private boolean closed;

  private GpuMonitor(Nvml nvml, String pciBusId, LongSupplier nanoClock) {
    this.nvml = nvml;
    this.pciBusId = pciBusId;
    this.nanoClock = nanoClock;
    long[] handle = new long[1];
    check(nvml.nvmlDeviceGetHandleByPciBusId(pciBusId, handle), "nvmlDeviceGetHandleByPciBusId");
    this.device = handle[0];
    this.samples = sampleBuffer();
    this.lastWasSampled = samples != null;
    // Samples from before the opening do not count, and unreadable values are noticed at once.
    fetch();
    beginInterval();
  }

  /**
   * Opens a monitor of one of this process's GPUs.
   *
   * @param ordinal CUDA's and DJL's number of the GPU; the library counts GPUs in another order, so
   *     the GPU is found by its place on the bus
   * @throws NvmlException if there is no driver, no such GPU, or it does not report its
   *     utilization; the message says which
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
   * Opens a monitor of the GPU at a place on the bus.
   *
   * @param pciBusId the GPU's PCI address, for example {@code 0000:1B:00.0}
   * @throws NvmlException if there is no driver, no such GPU, or it does not report its
   *     utilization; the message says which
   */
  public static GpuMonitor open(String pciBusId) {
    Nvml nvml;
    try {
      nvml = NativeNvml.load();
    } catch (UnsatisfiedLinkError e) {
      throw NvmlException.noLibrary(e);
    }
    return open(nvml, pciBusId, System::nanoTime);
  }

  static GpuMonitor open(Nvml nvml, String pciBusId, LongSupplier nanoClock) {
    NvmlException.check(nvml, nvml.nvmlInit(), "nvmlInit");
    try {
      return new GpuMonitor(nvml, pciBusId, nanoClock);
    } catch (Throwable failure) {
      nvml.nvmlShutdown(); // the first failure is thrown
      throw failure;
    }
  }

  private long[] sampleBuffer() {
    int[] most = new int[1];
    int result =
        nvml.nvmlDeviceGetSamples(device, Nvml.GPU_UTILIZATION_SAMPLES, 0, new int[1], most, null);
    return result == 0 && most[0] > 0 ? new long[SAMPLE_LONGS * most[0]] : null;
  }

  /**
   * Returns whether the last mean was over the driver's samples; otherwise it was over the current
   * figure at each poll. Before the first mean, returns whether the driver promises samples.
   */
  public synchronized boolean hasSamples() {
    return lastWasSampled;
  }

  /**
   * Fetches the driver's samples since the last call. The driver keeps a limited number of samples,
   * which NVIDIA does not state; call this every few seconds to miss no sample. If the driver gives
   * no samples, call this a few times a second.
   *
   * @throws NvmlException if the GPU no longer reports its load
   * @throws IllegalStateException if this is closed
   */
  public synchronized void poll() {
    requireOpen();
    fetch();
  }

  /**
   * Returns the mean utilization since the last call of this method, or since the opening; empty if
   * the driver has measured nothing in between. Calls {@link #poll} once.
   *
   * @return percent, 0 to 100
   * @throws NvmlException if the GPU no longer reports its load
   * @throws IllegalStateException if this is closed
   */
  public synchronized OptionalDouble utilization() {
    requireOpen();
    fetch();
    // In an interval this short, the driver's current figure may be older than the interval, so it
    // does not count if the driver has given samples before.
    boolean nothingMeasured =
        lastSeenMicros > 0 && nanoClock.getAsLong() - intervalStart < LONGEST_PERIOD_NANOS;
    DoubleSummaryStatistics measured =
        sampled.getCount() == 0 && !nothingMeasured ? polled : sampled;
    if (measured.getCount() == 0) {
      beginInterval();
      return OptionalDouble.empty();
    }
    lastWasSampled = measured == sampled;
    beginInterval();
    return OptionalDouble.of(measured.getAverage());
  }

  private void fetch() {
    if (samples != null) {
      fetchSamples();
    }
    if (sampled.getCount() == 0) {
      fetchPresent();
    }
  }

  private void fetchSamples() {
    int[] type = new int[1];
    int[] given = {samples.length / SAMPLE_LONGS};
    int result =
        nvml.nvmlDeviceGetSamples(
            device, Nvml.GPU_UTILIZATION_SAMPLES, lastSeenMicros, type, given, samples);
    if (result == Nvml.NOT_FOUND) {
      return; // there are no newer samples
    }
    check(result, "nvmlDeviceGetSamples");
    long newest = lastSeenMicros;
    for (int i = 0; i < given[0]; i++) {
      long micros = samples[SAMPLE_LONGS * i];
      if (micros > lastSeenMicros) {
        sampled.accept(NvmlValue.of(type[0], samples[SAMPLE_LONGS * i + 1]));
        newest = Math.max(newest, micros);
      }
    }
    lastSeenMicros = newest;
  }

  private void fetchPresent() {
    int[] rates = new int[2]; // of the GPU, of its memory
    int result = nvml.nvmlDeviceGetUtilizationRates(device, rates);
    if (result == Nvml.NOT_SUPPORTED && samples != null) {
      return; // this GPU reports samples only
    }
    check(result, "nvmlDeviceGetUtilizationRates");
    polled.accept(rates[0]);
  }

  private void beginInterval() {
    sampled = new DoubleSummaryStatistics();
    polled = new DoubleSummaryStatistics();
    intervalStart = nanoClock.getAsLong();
  }

  private void check(int result, String call) {
    NvmlException.check(nvml, result, call + " of GPU " + pciBusId);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the monitor of GPU " + pciBusId + " is closed");
    }
  }

  /** Closes the monitor. May be called twice; other monitors continue. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      NvmlException.check(nvml, nvml.nvmlShutdown(), "nvmlShutdown");
    }
  }

  /** Returns the class name and the GPU's address, such as {@code GpuMonitor(0000:1B:00.0)}. */
  @Override
  public String toString() {
    return "GpuMonitor(" + pciBusId + ")";
  }

  /**
   * A failure to monitor a GPU. The message has the call that failed, the library's code and text,
   * and what usually helps. The GPU itself may still work.
   *
   * <p>For example {@code nvmlInit failed: Driver Not Loaded (9); the kernel module of NVIDIA's
   * driver is not loaded}.
   */
  public static final class NvmlException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private NvmlException(String message, Throwable cause) {
      super(message, cause);
    }

    /** Throws if {@code result}, the code that the call returned, does not mean success. */
    static void check(Nvml nvml, int result, String call) {
      if (result != 0) {
        String hint = hint(result);
        throw new NvmlException(
            "%s failed: %s (%d)%s"
                .formatted(
                    call, nvml.nvmlErrorString(result), result, hint.isEmpty() ? "" : "; " + hint),
            null);
      }
    }

    static NvmlException noLibrary(UnsatisfiedLinkError cause) {
      return new NvmlException(
          "no NVML: %s; the library comes with NVIDIA's driver, and into a container where NVIDIA_DRIVER_CAPABILITIES has utility in it"
              .formatted(CudaErrors.reason(cause)),
          cause);
    }

    static NvmlException noGpu(int ordinal, CudaException cause) {
      return new NvmlException(
          "no GPU %d to watch: %s".formatted(ordinal, cause.getMessage()), cause);
    }

    private static String hint(int code) {
      return switch (code) {
        case Nvml.NOT_SUPPORTED -> "a GPU that is divided (MIG) does not report it as a whole";
        case Nvml.NOT_FOUND -> "nvidia-smi -L lists the GPUs that there are";
        case 9 -> "the kernel module of NVIDIA's driver is not loaded";
        case 15 -> "the GPU has fallen off the bus: the machine must be restarted";
        case 18 ->
            "the library and the kernel module of the driver differ in version: restart after an"
                + " update of the driver";
        default -> "";
      };
    }
  }
}
