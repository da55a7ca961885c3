package io.feedline.packing;

import java.util.Arrays;

/**
 * A packer of pieces into rows, buffer after buffer. Rows are numbered in the order in which they
 * are opened; a row is opened if a piece fits into no open row.
 *
 * <p>First fit takes the earliest row that has room, found in a tree of the largest rooms. Best fit
 * takes the row with the least room that suffices, found in a {@link RoomTree} of stacks; of rows
 * with equal room, the row that reached this room last. Both take O(log n) for a piece, as in
 * Johnson ("Fast algorithms for bin packing", 1974). A decreasing packer takes the longest piece
 * first, and pieces of equal length in their order.
 *
 * <p>Used by one thread at a time. Its memory grows with the largest buffer so far.
 */
abstract class BinPacker {

  private final boolean decreasing;
  final int rowLength;

  private BinPacker(boolean decreasing, int rowLength) {
    this.decreasing = decreasing;
    this.rowLength = rowLength;
  }

  static BinPacker of(TokenPacking.Strategy strategy, int rowLength) {
    return switch (strategy) {
      case FIRST_FIT -> new FirstFit(false, rowLength);
      case FIRST_FIT_DECREASING -> new FirstFit(true, rowLength);
      case BEST_FIT_DECREASING -> new BestFit(rowLength);
      case CONCATENATE -> throw new IllegalArgumentException("no bin packing: " + strategy);
    };
  }

  /**
   * Packs the pieces of one buffer; returns the number of rows.
   *
   * @param lengths the lengths of the pieces, each from 1 to the length of a row
   * @param rowOf receives the row of each piece
   */
  final int pack(int[] lengths, int count, int[] rowOf) {
    begin(count);
    long[] keyed = new long[count];
    for (int i = 0; i < count; i++) {
      keyed[i] = (decreasing ? (long) (rowLength - lengths[i]) << Integer.SIZE : 0) | i;
    }
    Arrays.sort(keyed);
    for (long key : keyed) {
      rowOf[(int) key] = place(lengths[(int) key]);
    }
    return end();
  }

  abstract void begin(int count);

  abstract int place(int length);

  abstract int end();

  private static final class FirstFit extends BinPacker {
    /** The largest room below each node: the children of node i are 2i and 2i + 1. */
    private int[] largest = new int[0];

    private int leaves;

    private int rows;

    FirstFit(boolean decreasing, int rowLength) {
      super(decreasing, rowLength);
    }

    @Override
    void begin(int count) {
      leaves = Integer.highestOneBit(Math.max(1, count - 1)) << 1;
      if (largest.length < 2 * leaves) {
        largest = new int[2 * leaves];
      }
      // An unopened row has all its room, so it is the first row with enough room if no open row
      // has enough.
      Arrays.fill(largest, 0, 2 * leaves, rowLength);
      rows = 0;
    }

    @Override
    int place(int length) {
      int node = 1;
      while (node < leaves) {
        node *= 2;
        if (largest[node] < length) {
          node++;
        }
      }
      int row = node - leaves;
      largest[node] -= length;
      while (node > 1) {
        node /= 2;
        largest[node] = Math.max(largest[2 * node], largest[2 * node + 1]);
      }
      rows = Math.max(rows, row + 1);
      return row;
    }

    @Override
    int end() {
      return rows;
    }
  }

  private static final class BestFit extends BinPacker {
    private final RoomTree rooms;

    /** For each amount of room, 1 + the row on top of its stack; 0 if the stack is empty. */
    private final int[] top;

    /** For each row, 1 + the row below it in its stack; 0 for the lowest row. */
    private int[] below = new int[0];

    private int rows;

    BestFit(int rowLength) {
      super(true, rowLength);
      this.rooms = new RoomTree(rowLength);
      this.top = new int[rowLength + 1];
    }

    @Override
    void begin(int count) {
      if (below.length < count) {
        below = new int[count];
      }
      rows = 0;
    }

    @Override
    int place(int length) {
      int room = rooms.ceiling(length);
      int row;
      if (room < 0) {
        row = rows++;
        room = rowLength;
      } else {
        row = top[room] - 1;
        top[room] = below[row];
        if (top[room] == 0) {
          rooms.remove(room);
        }
      }
      int left = room - length;
      if (left > 0) {
        below[row] = top[left];
        top[left] = row + 1;
        rooms.add(left);
      }
      return row;
    }

    @Override
    int end() {
      for (int room = rooms.ceiling(0); room >= 0; room = rooms.ceiling(room)) {
        top[room] = 0;
        rooms.remove(room);
      }
      return rows;
    }
  }
}
