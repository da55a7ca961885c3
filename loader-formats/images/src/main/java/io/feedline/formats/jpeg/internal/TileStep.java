package io.feedline.formats.jpeg.internal;

/**
 * One loop over {@code n} ints of a tile, from index {@code start} of the planes' arrays on. A list
 * of steps converts a tile, because one call site then calls many kinds of loops, and C2 compiles
 * each loop separately. Otherwise C2 would inline loops into their caller up to its limit, not
 * inline the last calls, and pass vectors through memory, which takes six times as long.
 */
@FunctionalInterface
interface TileStep {
  void run(int start, int n);
}
