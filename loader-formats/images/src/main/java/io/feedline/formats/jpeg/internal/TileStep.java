package io.feedline.formats.jpeg.internal;

/**
 * One loop of a tile's conversion, over all of its MCUs.
 *
 * <p>A tile is converted by a list of steps, drawn up beforehand, rather than by calls of the loops
 * one after the other. This keeps each loop to itself: steps of many kinds are called from one
 * place, so C2 compiles each alone. Otherwise it would inline them all into their caller until it
 * had enough, leave the last calls out, and so pass vectors through memory, at six times the cost.
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
