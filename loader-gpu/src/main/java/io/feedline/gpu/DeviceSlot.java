package io.feedline.gpu;

import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.internal.Closing;

/**
 * A slot of a {@link CopyRing}: memory on the GPU for a batch, and the events of its copy.
 *
 * <p>It belongs to the ring, then to the copying thread, which fills it, and then to the consumer,
 * which reads it and returns it to the ring. Another thread than the owner's uses only the events.
 */
final class DeviceSlot {

  final CudaEvent started;

  /** The event after which the slot is filled, and the batch's host memory is free. */
  final CudaEvent copied;

  /**
   * The event after which the slot may be filled: the computing stream has read the slot. If the
   * slot has got new memory since, the last user of that memory is done too.
   */
  final CudaEvent consumed;

  /** The slot's memory; null before the first allocation, and after a failed allocation. */
  DeviceMemory.Block block;

  /**
   * The bytes that may be filled: all, or 0 while the memory's last user may still use the block.
   */
  long capacity;

  long[] offsets = new long[0];

  long[] lengths = new long[0];

  long copyBegun;

  /** The nanoseconds for which the calls that began the copy held up the copying thread. */
  long copyingNanos;

  private DeviceSlot(CudaEvent started, CudaEvent copied, CudaEvent consumed) {
    this.started = started;
    this.copied = copied;
    this.consumed = consumed;
  }

  static DeviceSlot in(CudaContext context) {
    CudaEvent started = context.newTimedEvent();
    CudaEvent copied = null;
    try {
      copied = context.newTimedEvent();
      return new DeviceSlot(started, copied, context.newEvent());
    } catch (Throwable failure) {
      Closing.afterFailure(failure, copied, started);
      throw failure;
    }
  }

  long bytes() {
    long bytes = 0;
    for (long length : lengths) {
      bytes += length;
    }
    return bytes;
  }
}
