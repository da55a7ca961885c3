package io.feedline.formats.jpeg.internal;

/**
 * One loop of a tile's conversion, over all of its MCUs.
 *
 * <p>A tile is converted by a list of steps, drawn up beforehand, rather than by calls of the loops
 * one after the other. One call site calls steps of many kinds, so each loop is compiled
 * separately. Otherwise C2 would inline loops into their caller up to its limit, leave the last
 * calls out, and pass vectors through memory, at six times the cost.
 */
@FunctionalInterface
interface TileStep {
  /**
   * Runs the loop.
   *
   * @param start the index of the tile's first int in the arrays of the planes
   * @param n the number of ints
   */
  void run(int start, int n);
}
