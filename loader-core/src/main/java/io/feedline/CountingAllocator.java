package io.feedline;

import io.feedline.batch.HostAllocator;
import io.feedline.internal.FreedLater;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An allocator that counts the bytes in use, and the bytes that wait for the garbage collector. */
final class CountingAllocator implements HostAllocator {

  private static final Logger LOG = LoggerFactory.getLogger(CountingAllocator.class);

  private final HostAllocator allocator;
  private final LongAdder bytes = new LongAdder();
  private final AtomicLong unfreed = new AtomicLong();

  CountingAllocator(HostAllocator allocator) {
    this.allocator = allocator;
  }

  long bytes() {
    return bytes.sum();
  }

  long unfreedBytes() {
    return unfreed.get();
  }

  @Override
  public HostMemory allocate(int size) {
    return new Counted(
        Objects.requireNonNull(allocator.allocate(size), "the allocator gave no memory: null"));
  }

  /** Memory whose bytes are counted until it is closed; a failure to close it is logged. */
  private final class Counted implements HostMemory {
    private final HostMemory memory;
    private final int size;
    private boolean closed;

    Counted(HostMemory memory) {
      this.memory = memory;
      this.size = memory.buffer().capacity();
      bytes.add(size);
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        bytes.add(-size);
        try {
          if (memory instanceof FreedLater later) {
            later.countUntilFreed(unfreed);
          }
          memory.close();
        } catch (RuntimeException | Error e) {
          LOG.warn("{} bytes of host memory could not be given back", size, e);
        }
      }
    }
  }
}
