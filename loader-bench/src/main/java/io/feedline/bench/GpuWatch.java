package io.feedline.bench;

import io.feedline.bench.nvml.GpuMonitor;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A meter of the utilization of the GPU that trains, or the reason why the utilization is unknown.
 *
 * <p>Used by one thread, and closed by its opener.
 */
interface GpuWatch extends AutoCloseable {

  /** Returns the reason why the utilization is unknown; empty if the GPU reports it. */
  default Optional<String> silence() {
    return Optional.empty();
  }

  /**
   * Fetches the driver's samples since the last call. Without samples, call this evenly, a few
   * times a second.
   */
  void poll();

  /** Returns the mean utilization since the last call in percent; empty if nothing was measured. */
  OptionalDouble utilization();

  /**
   * Returns whether the last mean was over the driver's samples, not over its figure at each poll.
   */
  boolean bySamples();

  @Override
  void close();

  /** Returns a watch that measures nothing, for the given reason. */
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

  /** Returns a watch that uses a monitor, and closes it. */
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
