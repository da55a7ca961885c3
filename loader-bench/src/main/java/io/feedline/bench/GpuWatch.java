package io.feedline.bench;

import io.feedline.bench.nvml.GpuMonitor;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The utilisation of the GPU that is trained on, or the reason why it is not known.
 *
 * <p>Used by one thread, and closed by its opener.
 */
interface GpuWatch extends AutoCloseable {

  /** The reason why nothing is known; empty if the GPU tells. */
  default Optional<String> silence() {
    return Optional.empty();
  }

  /**
   * Takes over the samples measured since the last call. Evenly, a few times a second, where there
   * are no samples.
   */
  void poll();

  /** Percent, the mean since the last call; empty if nothing was measured. */
  OptionalDouble utilization();

  /**
   * Tests whether the last mean was over the driver's samples, and not over the moments of polls.
   */
  boolean bySamples();

  @Override
  void close();

  /** Returns the watch of a GPU that is not watched, for this reason. */
  static GpuWatch none(String reason) {
    return new GpuWatch() {
      @Override
      public Optional<String> silence() {
        return Optional.of(reason);
      }

      @Override
      public void poll() {}

      @Override
      public OptionalDouble utilization() {
        return OptionalDouble.empty();
      }

      @Override
      public boolean bySamples() {
        return false;
      }

      @Override
      public void close() {}
    };
  }

  /** Watches by a monitor, which is closed with this. */
  static GpuWatch of(GpuMonitor monitor) {
    return new GpuWatch() {
      @Override
      public void poll() {
        monitor.poll();
      }

      @Override
      public OptionalDouble utilization() {
        return monitor.utilization();
      }

      @Override
      public boolean bySamples() {
        return monitor.hasSamples();
      }

      @Override
      public void close() {
        monitor.close();
      }
    };
  }
}
