package io.feedline.gpu;

import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaStream;
import io.feedline.internal.Closing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The transfer of batches to one GPU: a stream that only copies fills a ring of slots on the GPU,
 * while another stream computes.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Two threads, two streams, and neither thread waits for the GPU:
 *
 * <pre>
 *   copying stream                       computing stream
 *
 *   wait for the slot's "consumed"
 *   record "started"
 *   copy the columns into the slot
 *   record "copied"                      wait for the slot's "copied"
 *                                        copy the columns out to tensors
 *                                        record "consumed"
 * </pre>
 *
 * <p>The consumer returns a slot when its read has been queued in the computing stream, long before
 * the read is done. The copying stream waits for the read; the copying thread does not.
 *
 * <p>A slot that is too small for a batch gets new memory, from an allocator that reuses memory in
 * the order of one stream, the allocator's stream. Neither thread waits for the GPU for this. The
 * allocator's stream waits for the slot's "copied" and "consumed" before the old memory is freed,
 * and records "consumed" again when the new memory is allocated. So the copying stream, before it
 * fills the new memory, waits for the memory's former user. The first copy to new memory thus waits
 * for all work queued in the allocator's stream; so a slot grows by at least a quarter, and stops
 * growing after a few batches. The first memory is as large as the batch: no memory is unused if
 * all batches have one size.
 *
 * <p>The consumer computes on tensors that only the computing stream uses. If it computed on the
 * slot, the slot could not be filled again before every array of the batch is closed. A copy from
 * the host straight into a new tensor would be unsafe: the tensor's memory belongs to the computing
 * stream's pool, where earlier work may still be pending. So each batch is copied once more within
 * the GPU, at some TB/s.
 *
 * <p>Independent of DJL. The consumer calls {@link #read}; both threads call {@link #giveBack};
 * only the copying thread, once it exists, calls the other methods. The caller that made the ring
 * closes it when neither thread uses it.
 */
final class CopyRing implements AutoCloseable {

  /** The alignment of columns in bytes, equal to that of the driver's allocator. */
  private static final long ALIGNMENT = 256;

  record Source(long address, long bytes) {}

  private final CudaContext context;
  private final DeviceMemory memory;
  private final CudaStream stream;
  private final List<DeviceSlot> slots = new ArrayList<>();
  private final BlockingQueue<DeviceSlot> free;
  private boolean closed;

  /**
   * @param context owned by the caller, who closes it after the ring
   */
  CopyRing(CudaContext context, DeviceMemory memory, int slots) {
    this.context = context;
    this.memory = memory;
    this.free = new ArrayBlockingQueue<>(slots);
    context.enter();
    try {
      this.stream = context.newStream();
      try {
        for (int i = 0; i < slots; i++) {
          this.slots.add(DeviceSlot.in(context));
        }
      } catch (Throwable failure) {
        Closing.afterFailure(failure, eventsAndStream());
        throw failure;
      }
    } catch (Throwable failure) {
      Closing.afterFailure(failure, context::leave);
      throw failure;
    }
    free.addAll(this.slots);
    try {
      context.leave();
    } catch (Throwable failure) {
      Closing.afterFailure(failure, this);
      throw failure;
    }
  }

  private AutoCloseable[] eventsAndStream() {
    List<AutoCloseable> parts = new ArrayList<>();
    for (DeviceSlot slot : slots) {
      parts.addAll(List.of(slot.started, slot.copied, slot.consumed));
    }
    parts.add(stream);
    return parts.toArray(AutoCloseable[]::new);
  }

  CudaContext context() {
    return context;
  }

  @Nullable DeviceSlot poll() {
    return free.poll();
  }

  DeviceSlot take() throws InterruptedException {
    return free.take();
  }

  /** Returns a slot to the ring, whether it has been read or not. */
  void giveBack(DeviceSlot slot) {
    free.add(slot);
  }

  /**
   * Begins to fill a slot; returns at once if the columns are page-locked. The columns' memory must
   * not change until {@link #awaitCopied} returns or, after a failure of this method, {@link
   * #drain}.
   */
  void copy(DeviceSlot slot, List<Source> columns) {
    context.enter();
    try {
      arrange(slot, columns);
      stream.waitFor(slot.consumed);
      stream.record(slot.started);
      for (int i = 0; i < columns.size(); i++) {
        if (slot.lengths[i] > 0) {
          long to = slot.block.address() + slot.offsets[i];
          stream.copyToDevice(to, columns.get(i).address(), slot.lengths[i]);
        }
      }
      stream.record(slot.copied);
    } finally {
      context.leave();
    }
  }

  long pinnedBytes(List<Source> columns) {
    context.enter();
    try {
      long pinned = 0;
      for (Source column : columns) {
        if (column.bytes() > 0 && context.pageLocked(column.address())) {
          pinned += column.bytes();
        }
      }
      return pinned;
    } finally {
      context.leave();
    }
  }

  private void arrange(DeviceSlot slot, List<Source> columns) {
    slot.offsets = new long[columns.size()];
    slot.lengths = new long[columns.size()];
    long end = 0;
    for (int i = 0; i < columns.size(); i++) {
      slot.offsets[i] = end;
      slot.lengths[i] = columns.get(i).bytes();
      end = (end + slot.lengths[i] + ALIGNMENT - 1) & -ALIGNMENT;
    }
    if (end > slot.capacity) {
      grow(slot, end);
    }
  }

  private void grow(DeviceSlot slot, long bytes) {
    CudaStream pool = context.stream(memory.stream());
    long enough = bytes;
    if (slot.block != null) {
      // The next user of the old memory waits for the slot's last read, or else for its last copy.
      pool.waitFor(slot.copied);
      pool.waitFor(slot.consumed);
      enough = Math.max(bytes, slot.capacity + slot.capacity / 4); // bytes if the sum overflows
      DeviceMemory.Block old = slot.block;
      slot.block = null;
      slot.capacity = 0;
      old.close();
    }
    slot.block = memory.allocate(enough);
    pool.record(slot.consumed);
    // Set last: if the record fails, the next copy finds no capacity and allocates again.
    slot.capacity = enough;
  }

  /**
   * Waits until a slot's last copy is done, and returns the copy's milliseconds on the GPU's clock.
   */
  float awaitCopied(DeviceSlot slot) {
    context.enter();
    try {
      slot.copied.synchronize();
      return slot.copied.millisSince(slot.started);
    } finally {
      context.leave();
    }
  }

  void awaitRead(DeviceSlot slot) {
    context.enter();
    try {
      slot.consumed.synchronize();
    } finally {
      context.leave();
    }
  }

  void drain() {
    context.enter();
    try {
      stream.synchronize();
    } finally {
      context.leave();
    }
  }

  /**
   * Queues copies of a filled slot's columns to tensors in the computing stream, and returns the
   * slot to the ring, even after a failure. Waits for the GPU only after a failure.
   *
   * @param computing the handle of the stream on which PyTorch computes
   * @param targets the addresses of the tensors, one for each column
   */
  void read(DeviceSlot slot, long computing, long[] targets) {
    try {
      context.enter();
      try {
        read(slot, context.stream(computing), targets);
      } finally {
        context.leave();
      }
    } finally {
      giveBack(slot);
    }
  }

  private static void read(DeviceSlot slot, CudaStream computing, long[] targets) {
    try {
      computing.waitFor(slot.copied);
      for (int i = 0; i < targets.length; i++) {
        if (slot.lengths[i] > 0) {
          computing.copyOnDevice(
              targets[i], slot.block.address() + slot.offsets[i], slot.lengths[i]);
        }
      }
      computing.record(slot.consumed);
    } catch (Throwable failure) {
      // The failure left no event after the queued work, so nothing could wait for that work later.
      Closing.afterFailure(failure, computing::synchronize);
      throw failure;
    }
  }

  /** Waits for operations under way, and frees everything that can be freed. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    context.enter();
    closed = true;
    try {
      List<AutoCloseable> parts = new ArrayList<>();
      parts.add(stream::synchronize);
      for (DeviceSlot slot : slots) {
        parts.add(slot.consumed::synchronize);
        parts.add(slot.block);
      }
      parts.addAll(List.of(eventsAndStream()));
      Closing.all(parts.toArray(AutoCloseable[]::new));
    } finally {
      context.leave();
    }
  }
}
