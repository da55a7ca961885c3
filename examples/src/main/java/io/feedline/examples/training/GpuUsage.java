package io.feedline.examples.training;

import ai.djl.Device;
import io.feedline.gpu.nvml.GpuMonitor;
import io.feedline.gpu.nvml.GpuMonitor.NvmlException;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The utilization of the GPU that trains, epoch by epoch, if the machine can measure it. That it
 * does not tell is said once, and never ends a training.
 *
 * <p>Used by the training thread.
 */
final class GpuUsage implements AutoCloseable {

  /** Often enough to miss nothing that the driver measures, and seldom enough to cost nothing. */
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final Consumer<String> say;

  /** Null where there is nothing to watch. */
  private final GpuMonitor monitor;

  /** True if the GPU stopped reporting. The library is then left alone. */
  private boolean lost;

  private long lastPoll = System.nanoTime();

  private GpuUsage(GpuMonitor monitor, Consumer<String> say) {
    this.monitor = monitor;
    this.say = say;
  }

  /**
   * Begins to watch a device; of a CPU there is nothing to say.
   *
   * @param say takes a line for people: why nothing can be watched
   */
  static GpuUsage of(Device device, Consumer<String> say) {
    GpuMonitor monitor = null;
    if (device.isGpu()) {
      try {
        monitor = GpuMonitor.open(device.getDeviceId());
      } catch (NvmlException e) {
        say.accept("GPU utilisation is not shown: " + e.getMessage());
      }
    }
    return new GpuUsage(monitor, say);
  }

  /** Tests whether a GPU reports its utilization. */
  boolean watching() {
    return monitor != null && !lost;
  }

  /** An epoch begins: the time before it does not count. */
  void begin() {
    if (watching()) {
      unlessLost(monitor::utilization);
    }
  }

  /** A step has ended. */
  void step() {
    long now = System.nanoTime();
    if (watching() && now - lastPoll > PAUSE_NANOS) {
      lastPoll = now;
      unlessLost(monitor::poll);
    }
  }

  /** The epoch in words, as {@link #words} has them; empty where nothing is watched. */
  String end() {
    StringBuilder words = new StringBuilder();
    if (watching()) {
      unlessLost(() -> words.append(words(monitor.utilization(), monitor.memory())));
    }
    return words.toString();
  }

  /** For example {@code GPU 98.2% busy, 12.3 of 85.9 GB in use}. */
  static String words(OptionalDouble percent, GpuMonitor.Memory memory) {
    String busy =
        percent.isPresent()
            ? String.format(Locale.ROOT, "%.1f%% busy", percent.getAsDouble())
            : "not measured in so short a time";
    return String.format(
        Locale.ROOT,
        "GPU %s, %.1f of %.1f GB in use",
        busy,
        memory.usedBytes() / 1e9,
        memory.totalBytes() / 1e9);
  }

  private void unlessLost(Runnable reading) {
    try {
      reading.run();
    } catch (NvmlException e) {
      lost = true;
      say.accept("GPU utilisation is no longer shown: " + e.getMessage());
    }
  }

  /** Ends the watching. May be called twice. */
  @Override
  public void close() {
    if (watching()) {
      unlessLost(monitor::close);
    }
  }
}
