package io.feedline.gpu.internal;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The memory that a {@link FakeDriver} gave, all of it native memory of this process. New memory is
 * filled with 0xCD; freed memory is filled with 0xDD, and kept without ever being given again, so
 * that late use shows and harms nothing.
 */
final class FakeMemory {

  private static final byte FRESH = (byte) 0xCD;
  private static final byte FREED = (byte) 0xDD;
  private static final int PAGE = 4096;

  enum Kind {
    PINNED,
    DEVICE,
    REGISTERED
  }

  static final class Block {
    final Kind kind;
    final long address;
    final long bytes;
    final int device;
    final String madeAt;
    final Memory memory;
    boolean freed;

    Block(Kind kind, long address, long bytes, int device, String madeAt, Memory memory) {
      this.kind = kind;
      this.address = address;
      this.bytes = bytes;
      this.device = device;
      this.madeAt = madeAt;
      this.memory = memory;
    }

    boolean holds(long from, long length) {
      return !freed && from + length <= address + bytes;
    }

    @Override
    public String toString() {
      return "%s%s memory 0x%x+%d, allocated %s"
          .formatted(
              freed ? "freed " : "",
              kind == Kind.PINNED ? "pinned" : "device",
              address,
              bytes,
              madeAt);
    }
  }

  private final List<String> violations;
  private final NavigableMap<Long, Block> blocks = new TreeMap<>();

  FakeMemory(List<String> violations) {
    this.violations = violations;
  }

  long allocate(Kind kind, long bytes, int device, String madeAt) {
    Memory memory = new Memory(bytes + PAGE);
    long address = Pointer.nativeValue(memory.align(PAGE));
    Block block = new Block(kind, address, bytes, device, madeAt, memory);
    fill(block, FRESH);
    blocks.put(address, block);
    return address;
  }

  void register(long address, long bytes, int device, String madeAt) {
    blocks.put(address, new Block(Kind.REGISTERED, address, bytes, device, madeAt, null));
  }

  void unregister(long address) {
    blocks.remove(address);
  }

  Block find(long address) {
    Map.Entry<Long, Block> entry = blocks.floorEntry(address);
    return entry != null && address < entry.getKey() + entry.getValue().bytes
        ? entry.getValue()
        : null;
  }

  List<Block> live(Kind kind) {
    return blocks.values().stream().filter(block -> block.kind == kind && !block.freed).toList();
  }

  long liveBytes(Kind kind) {
    return live(kind).stream().mapToLong(block -> block.bytes).sum();
  }

  /** The block to be freed that begins at an address, or null, which is a violation. */
  Block toFree(Kind kind, long address, String call) {
    Block block = blocks.get(address);
    if (block == null || block.kind != kind || block.freed) {
      violations.add(
          "%s frees 0x%x, which is %s"
              .formatted(call, address, block == null ? "no block" : block));
      return null;
    }
    return block;
  }

  void free(Block block) {
    block.freed = true;
    fill(block, FREED);
  }

  boolean device(long address, long bytes, String call) {
    Block block = find(address);
    boolean fine = block != null && block.kind != Kind.PINNED && block.holds(address, bytes);
    return fine || refuse("device", block, address, bytes, call);
  }

  /** Tests whether a range of host memory is either unknown or all live; a violation if neither. */
  boolean host(long address, long bytes, String call) {
    Block block = find(address);
    boolean fine = block == null || (block.kind == Kind.PINNED && block.holds(address, bytes));
    return fine || refuse("host", block, address, bytes, call);
  }

  /**
   * Tests whether a range that a kernel uses is either unknown or all live; a violation if neither.
   */
  boolean any(long address, long bytes, String call) {
    Block block = find(address);
    return block == null
        || block.holds(address, bytes)
        || refuse("live", block, address, bytes, call);
  }

  private boolean refuse(String wanted, Block found, long address, long bytes, String call) {
    violations.add(
        "%s uses 0x%x+%d as %s memory, but there is %s"
            .formatted(call, address, bytes, wanted, found == null ? "none that is known" : found));
    return false;
  }

  boolean pinned(long address) {
    Block block = find(address);
    return block != null && block.kind == Kind.PINNED && !block.freed;
  }

  void checkFreed() {
    for (Block block : blocks.values()) {
      if (block.freed) {
        ByteBuffer bytes = buffer(block.address, block.bytes);
        for (int i = 0; i < block.bytes; i++) {
          if (bytes.get(i) != FREED) {
            violations.add("somebody wrote to byte %d of %s".formatted(i, block));
            fill(block, FREED);
            break;
          }
        }
      }
    }
  }

  private static void fill(Block block, byte value) {
    new Pointer(block.address).setMemory(0, block.bytes, value);
  }

  static void copy(long to, long from, long bytes) {
    if (bytes > 0) {
      buffer(to, bytes).put(buffer(from, bytes));
    }
  }

  static ByteBuffer buffer(long address, long bytes) {
    return new Pointer(address).getByteBuffer(0, bytes);
  }
}
