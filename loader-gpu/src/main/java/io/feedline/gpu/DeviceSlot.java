package io.feedline.gpu;

import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaEvent;
import io.feedline.internal.Closing;

/**
 * A slot of a {@link CopyRing}: memory on the GPU for a batch, and the events of its copy.
 *
 * <p>It belongs in turn to the ring, to the copying thread, which fills it, and to the consumer,
 * which reads it and gives it back. Only the events are used beyond a turn.
 */
final class DeviceSlot {

  final CudaEvent started;

  /** The slot is filled, and its source memory is free. */
  final CudaEvent copied;

  /**
   * The slot may be filled: the computing stream has read it, or, if it got other memory since,
   * that memory's former user has done with it, and the slot's old memory was read before.
   */
  final CudaEvent consumed;

  /** Null before the first batch that needs memory, and if there was no memory. */
  DeviceMemory.Block block;

  /**
   * The part of the block that may be filled: all, or nothing if its former user may not have done.
   */
  long capacity;

  long[] offsets = new long[0];

  long[] lengths = new long[0];

  long copyBegun;

  /** The time for which the copying thread was held up when filling began. */
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
