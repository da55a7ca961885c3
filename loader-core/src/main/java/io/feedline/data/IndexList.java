package io.feedline.data;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of indices of a dataset: 4 bytes for each index if all indices fit into 4 bytes, otherwise
 * 8. One thread fills the list, then many threads read it.
 */
final class IndexList {

  private static final int PAGE_BITS = 10;
  private static final int PAGE = 1 << PAGE_BITS;

  private final List<int[]> low = new ArrayList<>();

  /** The upper 32 bits of the indices; null if all of them are 0. */
  private final @Nullable List<int[]> high;

  private long size;

  /** Creates an empty list of indices below {@code bound}. */
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
