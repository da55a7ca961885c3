package io.feedline.gpu;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.feedline.gpu.internal.Access;
import io.feedline.gpu.internal.FakeDriver;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a {@link FakeDriver}'s GPU as an allocator gives it that serves several users in
 * the order of one {@linkplain #stream stream}, at its worst: a block's former user has still to
 * write to it, in that stream; and its next user puts a write into that stream at once.
 *
 * <p>What was given is never given again, and stays readable as long as this object lives.
 * Thread-safe.
 */
final class FakeGpuMemory implements DeviceMemory {

  private static final byte FORMER = 0x11;
  private static final byte NEXT = 0x22;

  private final FakeDriver driver;
  private final long stream;
  private final List<Memory> given = new ArrayList<>();
  private int failures;
  private RuntimeException failure;
  private int open;
  private boolean gone;

  FakeGpuMemory(FakeDriver driver, long stream) {
    this.driver = driver;
    this.stream = stream;
  }

  synchronized void failNext(int times, RuntimeException cause) {
    failures = times;
    failure = cause;
  }

  synchronized void abandon() {
    gone = true;
  }

  @Override
  public synchronized Block allocate(long bytes) {
    if (failures > 0) {
      failures--;
      throw failure;
    }
    open++;
    return new FakeBlock(give(bytes, stream), bytes);
  }

  synchronized long tensor(long bytes, long computing) {
    return Pointer.nativeValue(give(bytes, computing));
  }

  private Memory give(long bytes, long in) {
    Memory memory = new Memory(bytes);
    long address = Pointer.nativeValue(memory);
    given.add(memory);
    driver.registerDevice(address, bytes);
    driver.launch(
        in,
        "the former user of the memory",
        () -> memory.setMemory(0, bytes, FORMER),
        Access.write(address, bytes));
    return memory;
  }

  @Override
  public long stream() {
    return stream;
  }

  synchronized int open() {
    return open;
  }

  private final class FakeBlock implements Block {
    private final Memory memory;
    private final long bytes;
    private boolean closed;

    FakeBlock(Memory memory, long bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    @Override
    public long address() {
      if (closed) {
        throw new AssertionError("the block is used after it was closed");
      }
      return Pointer.nativeValue(memory);
    }

    @Override
    public void close() {
      synchronized (FakeGpuMemory.this) {
        long address = address();
        closed = true;
        open--;
        if (!gone) {
          driver.launch(
              stream,
              "the next user of the memory",
              () -> memory.setMemory(0, bytes, NEXT),
              Access.write(address, bytes));
        }
        driver.unregisterDevice(address);
      }
    }
  }
}
