package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.batch.HostAllocator;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.gpu.PinnedAllocator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The training's device and the memory from which batches are copied to it, by the option {@code
 * --device} and related options.
 *
 * <p>The caller closes it, after the loaders. Used by the training thread.
 */
final class TrainingDevice implements AutoCloseable {

  private final Device device;
  private final int prefetch;
  private final GpuUsage usage;

  /** Null if batches are in ordinary memory. */
  private final PinnedAllocator pinned;

  private TrainingDevice(Device device, LoopOptions options, Consumer<String> say) {
    this.device = device;
    this.prefetch = options.prefetchToDevice;
    this.usage = GpuUsage.of(device, say);
    this.pinned = options.pinMemory ? PinnedAllocator.of(device) : null;
  }

  /**
   * Opens the device of validated options. If page-locked memory is unavailable, ordinary memory is
   * used.
   *
   * @param say receives messages for the user
   * @throws IllegalStateException if the device does not exist
   */
  static TrainingDevice open(LoopOptions options, Consumer<String> say) {
    Device device = options.device == LoopOptions.Target.GPU ? Device.gpu() : Device.cpu();
    DeviceLoader.requireDevice(device);
    return new TrainingDevice(device, options, say);
  }

  Device device() {
    return device;
  }

  HostAllocator allocator() {
    return pinned == null ? HostAllocator.direct() : pinned;
  }

  /** Returns a loader's batches, normalized on the device; the caller closes the result. */
  DeviceLoader loader(DataLoader<?> loader, NDManager manager, List<Normalization> normalizations) {
    DeviceLoader.Builder builder =
        DeviceLoader.builder(loader).manager(manager).prefetchToDevice(prefetch);
    normalizations.forEach(builder::normalizeOnDevice);
    return builder.build();
  }

  /** Returns the watch on the device's utilization, which is closed with the device. */
  GpuUsage usage() {
    return usage;
  }

  @Override
  public void close() {
    try {
      usage.close();
    } finally {
      if (pinned != null) {
        pinned.close();
      }
    }
  }

  /** Returns the device and its memory, such as {@code gpu(0) from page-locked memory}. */
  @Override
  public String toString() {
    return device + (pinned != null && pinned.pinned() ? " from page-locked memory" : "");
  }
}
