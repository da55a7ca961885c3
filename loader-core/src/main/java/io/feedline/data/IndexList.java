package io.feedline.data;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Indices of a dataset, 4 bytes for each where all fit into that, 8 otherwise. Filled by one
 * thread, then read by many.
 */
final class IndexList {

  private static final int PAGE_BITS = 10;
  private static final int PAGE = 1 << PAGE_BITS;

  private final List<int[]> low = new ArrayList<>();

  /** The upper halves; null where they would all be 0. */
  private final @Nullable List<int[]> high;

  private long size;

  /** All indices will be below {@code bound}. */
  IndexList(long bound) {
    this.high = bound <= 1L << Integer.SIZE ? null : new ArrayList<>();
  }

  void add(long index) {
    int page = (int) (size >>> PAGE_BITS);
    int offset = (int) size & (PAGE - 1);
    if (offset == 0) {
      low.add(new int[PAGE]);
      if (high != null) {
        high.add(new int[PAGE]);
      }
    }
    low.get(page)[offset] = (int) index;
    if (high != null) {
      high.get(page)[offset] = (int) (index >>> Integer.SIZE);
    }
    size++;
  }

  long get(long position) {
    int page = (int) (position >>> PAGE_BITS);
    int offset = (int) position & (PAGE - 1);
    long index = Integer.toUnsignedLong(low.get(page)[offset]);
    return high == null ? index : index | (long) high.get(page)[offset] << Integer.SIZE;
  }

  long size() {
    return size;
  }
}
