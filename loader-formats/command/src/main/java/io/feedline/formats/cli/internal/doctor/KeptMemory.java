package io.feedline.formats.cli.internal.doctor;

import io.feedline.batch.HostAllocator;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An allocator that keeps the memory of batches for the next loader. In a run of one second,
 * allocation would take a tenth of the time, since the system makes new pages. A training allocates
 * its batches only once.
 */
final class KeptMemory implements HostAllocator {

  private final Map<Integer, Queue<HostMemory>> kept = new ConcurrentHashMap<>();
  private final AtomicLong room = new AtomicLong(Runtime.getRuntime().maxMemory() / 4);

  @Override
  public HostMemory allocate(int bytes) {
    HostMemory memory = same(bytes).poll();
    if (memory != null) {
      room.addAndGet(bytes);
    }
    return new Lent(memory == null ? HostAllocator.direct().allocate(bytes) : memory);
  }

  private Queue<HostMemory> same(int bytes) {
    return kept.computeIfAbsent(bytes, size -> new ConcurrentLinkedQueue<>());
  }

  private final class Lent implements HostMemory {
    private @Nullable HostMemory memory;

    Lent(HostMemory memory) {
      this.memory = memory;
    }

    @Override
    public ByteBuffer buffer() {
      if (memory == null) {
        throw new IllegalStateException("the memory has been given back");
      }
      return memory.buffer();
    }

    @Override
    public void close() {
      if (memory != null) {
        int bytes = memory.buffer().capacity();
        if (room.addAndGet(-bytes) >= 0) {
          same(bytes).add(memory);
        } else {
          room.addAndGet(bytes);
          memory.close();
        }
        memory = null;
      }
    }
  }
}
