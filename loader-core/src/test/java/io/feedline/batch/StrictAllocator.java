package io.feedline.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Direct memory that counts, that is full of rubbish before it is given and after it was taken
 * back, and that runs out at a chosen call.
 */
public final class StrictAllocator implements HostAllocator {

  private static final byte FRESH = (byte) 0xA5;
  private static final byte FREED = (byte) 0xDD;

  private final Set<Memory> open = ConcurrentHashMap.newKeySet();
  private int calls;
  private int failingCall = -1;
  private long openBytes;
  private long mostBytes;

  /** Lets a call fail, counted from 0 and from now on. */
  public synchronized StrictAllocator failAt(int call) {
    failingCall = calls + call;
    return this;
  }

  @Override
  public synchronized HostMemory allocate(int bytes) {
    assertThat(bytes).isPositive();
    if (calls++ == failingCall) {
      throw new OutOfMemoryError("call " + failingCall + " of the allocator");
    }
    Memory memory = new Memory(bytes);
    open.add(memory);
    openBytes += bytes;
    mostBytes = Math.max(mostBytes, openBytes);
    return memory;
  }

  public synchronized int calls() {
    return calls;
  }

  /** The most bytes that were out at once. */
  public synchronized long mostBytes() {
    return mostBytes;
  }

  public synchronized long openBytes() {
    return openBytes;
  }

  public void assertAllGivenBack() {
    assertThat(open).as("memory that was not given back").isEmpty();
    assertThat(openBytes()).isZero();
  }

  private synchronized void giveBack(Memory memory) {
    assertThat(open.remove(memory)).as("memory is given back once").isTrue();
    openBytes -= memory.buffer.capacity();
  }

  private final class Memory implements HostMemory {
    private final ByteBuffer buffer;
    private boolean closed;

    Memory(int bytes) {
      buffer = ByteBuffer.allocateDirect(bytes);
      fill(FRESH);
    }

    private void fill(byte rubbish) {
      for (int i = 0; i < buffer.capacity(); i++) {
        buffer.put(i, rubbish);
      }
    }

    @Override
    public ByteBuffer buffer() {
      assertThat(closed).as("memory is used after it was given back").isFalse();
      return buffer;
    }

    @Override
    public void close() {
      fill(FREED);
      closed = true;
      giveBack(this);
    }
  }
}
