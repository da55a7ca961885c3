package io.feedline.gpu;

import io.feedline.gpu.internal.PinnedMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Blocks of page-locked memory that nobody uses, and the sizes in which they come.
 *
 * <p>Small blocks are whole pages, which is what the driver locks; beyond 32 KiB there are eight
 * sizes between a power of two and the next. So a block is larger than what was asked for by less
 * than a page or an eighth, and batches of about the same size find each other's memory.
 *
 * <p>The search goes through all blocks, of which there are as many as a loader or two have slots.
 * Not thread-safe: its {@link PinnedAllocator} holds a lock.
 */
final class PinnedBlocks {

  private static final int PAGE = 4096;
  private static final int SIZES_PER_DOUBLING = 8;

  /** The one that came back last is at the end. */
  private final Set<PinnedMemory> blocks = new LinkedHashSet<>();

  private long bytes;

  /**
   * The size of the block that is to hold so many bytes.
   *
   * @param bytes 1 or more
   */
  static int sizeFor(int bytes) {
    int step = Math.max(PAGE, Integer.highestOneBit(bytes - 1) / SIZES_PER_DOUBLING);
    long size = ((long) bytes + step - 1) / step * step;
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  /** All bytes in all blocks. */
  long bytes() {
    return bytes;
  }

  void put(PinnedMemory block) {
    blocks.add(block);
    bytes += block.bytes();
  }

  /**
   * Takes the smallest block that holds so many bytes, of several the one that came back last, as
   * it may still be in the processor's caches; null if all are too small, or larger than need be.
   */
  PinnedMemory take(int wanted) {
    int largest = sizeFor(wanted);
    PinnedMemory best = null;
    for (PinnedMemory block : blocks) {
      if (block.bytes() >= wanted && block.bytes() <= largest) {
        best = best == null || block.bytes() <= best.bytes() ? block : best;
      }
    }
    if (best != null) {
      blocks.remove(best);
      bytes -= best.bytes();
    }
    return best;
  }

  /** Takes the blocks that were unused longest, until they have so many bytes or none is left. */
  List<PinnedMemory> takeOldest(long atLeast) {
    List<PinnedMemory> taken = new ArrayList<>();
    long left = atLeast;
    for (Iterator<PinnedMemory> each = blocks.iterator(); left > 0 && each.hasNext(); ) {
      PinnedMemory block = each.next();
      each.remove();
      taken.add(block);
      bytes -= block.bytes();
      left -= block.bytes();
    }
    return taken;
  }
}
