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
 * The memory of batches, kept for the next loader. A training allocates its batches once; in a run
 * of a second the system's work for new pages would be a tenth of the time.
 */
final class KeptMemory implements HostAllocator {

  private final Map<Integer, Queue<HostMemory>> kept = new ConcurrentHashMap<>();

  /** The bytes that may be kept in addition. */
  private final AtomicLong room = new AtomicLong(Runtime.getRuntime().maxMemory() / 4);

  @Override
  public HostMemory allocate(int bytes) {
    Queue<HostMemory> same = kept.computeIfAbsent(bytes, size -> new ConcurrentLinkedQueue<>());
    HostMemory memory = same.poll();
    if (memory == null) {
      return new Lent(HostAllocator.direct().allocate(bytes), same);
    }
    room.addAndGet(bytes);
    return new Lent(memory, same);
  }

  private final class Lent implements HostMemory {
    private final Queue<HostMemory> same;
    private @Nullable HostMemory memory;

    Lent(HostMemory memory, Queue<HostMemory> same) {
      this.memory = memory;
      this.same = same;
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
      HostMemory given = memory;
      if (given == null) {
        return;
      }
      memory = null;
      int bytes = given.buffer().capacity();
      if (room.addAndGet(-bytes) >= 0) {
        same.add(given);
      } else {
        room.addAndGet(bytes);
        given.close();
      }
    }
  }
}
