package io.feedline.packing;

/**
 * A set of whole numbers from 0 to a bound that finds its smallest member at or above a number. It
 * is a tree of van Emde Boas with 64 branches, so a search takes a few steps.
 */
final class RoomTree {

  private static final int BITS = 6;

  /** Each higher level has a bit for each word of the level below that is not 0. */
  private final long[][] levels;

  RoomTree(int bound) {
    int depth = 1;
    for (int words = bound >>> BITS; words > 0; words >>>= BITS) {
      depth++;
    }
    levels = new long[depth][];
    int words = bound;
    for (int level = 0; level < depth; level++) {
      words >>>= BITS;
      levels[level] = new long[words + 1];
    }
  }

  void add(int number) {
    int at = number;
    for (long[] level : levels) {
      level[at >>> BITS] |= 1L << at;
      at >>>= BITS;
    }
  }

  void remove(int number) {
    int at = number;
    for (long[] level : levels) {
      level[at >>> BITS] &= ~(1L << at);
      at >>>= BITS;
      if (level[at] != 0) {
        return;
      }
    }
  }

  /** Returns the smallest member at or above a number; -1 if no member is as large. */
  int ceiling(int number) {
    int at = number;
    for (int level = 0; level < levels.length; level++) {
      int word = at >>> BITS;
      if (word >= levels[level].length) {
        return -1;
      }
      long found = levels[level][word] & -1L << at;
      if (found != 0) {
        return smallest(level, word << BITS | Long.numberOfTrailingZeros(found));
      }
      at = word + 1;
    }
    return -1;
  }

  private int smallest(int level, int bit) {
    int at = bit;
    for (int below = level - 1; below >= 0; below--) {
      at = at << BITS | Long.numberOfTrailingZeros(levels[below][at]);
    }
    return at;
  }
}
