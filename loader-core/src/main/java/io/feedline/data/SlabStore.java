package io.feedline.data;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Memory outside the heap that only grows: pieces are cut one after the other from a few large
 * slabs, since an allocation for each piece would cost too much.
 *
 * <p>A piece is found by its place: the number of its slab, and the offset in the slab, a multiple
 * of 8 bytes. The piece begins with its length. Thread-safe; the thread that reserved a piece fills
 * it before it publishes the piece's place.
 */
final class SlabStore implements AutoCloseable {

  /** The number of bytes of a slab: many samples, so that its unused end does not matter. */
  static final int SLAB_BYTES = 16 << 20;

  /** The number of bytes in front of each piece; they contain the piece's length. */
  private static final int HEADER = 8;

  private static final long LARGEST_PIECE = Integer.MAX_VALUE - 2L * HEADER;

  private final long budget;
  private final int slabBytes;

  /** The slabs; null when the store is closed. */
  private volatile ByteBuffer[] slabs = new ByteBuffer[0];

  /** The start of the free part of the last slab. */
  private int next;

  private int end;
  private long bytes;

  SlabStore(long budget, int slabBytes) {
    this.budget = budget;
    this.slabBytes = slabBytes;
  }

  /** Reserves a piece, and returns its place; -1 if the budget is used up. */
  synchronized long reserve(long length) {
    ByteBuffer[] current = slabs();
    long needed = HEADER + (length + HEADER - 1) / HEADER * HEADER;
    if (length > LARGEST_PIECE || (needed > end - next && !grow(current, needed))) {
      return -1;
    }
    int slab = slabs.length - 1;
    slabs[slab].putLong(next, length);
    long place = (long) slab << Integer.SIZE | next;
    next += (int) needed;
    return place;
  }

  private boolean grow(ByteBuffer[] current, long needed) {
    long size = Math.max(needed, Math.min(slabBytes, budget - bytes));
    if (size > budget - bytes) {
      return false;
    }
    ByteBuffer slab = ByteBuffer.allocateDirect((int) size).order(ByteOrder.nativeOrder());
    ByteBuffer[] longer = Arrays.copyOf(current, current.length + 1);
    longer[current.length] = slab;
    slabs = longer;
    next = 0;
    end = slab.capacity();
    bytes += size;
    return true;
  }

  ByteBuffer at(long place) {
    ByteBuffer slab = slabs()[(int) (place >>> Integer.SIZE)];
    int start = (int) place;
    int length = (int) slab.getLong(start);
    return slab.slice(start + HEADER, length).order(ByteOrder.nativeOrder());
  }

  synchronized long bytes() {
    return bytes;
  }

  void checkOpen() {
    slabs();
  }

  private ByteBuffer[] slabs() {
    ByteBuffer[] current = slabs;
    if (current == null) {
      throw new IllegalStateException("the cache is closed");
    }
    return current;
  }

  /** Drops the slabs; the garbage collector frees a slab when no view of it is left. */
  @Override
  public synchronized void close() {
    slabs = null;
    bytes = 0;
  }
}
