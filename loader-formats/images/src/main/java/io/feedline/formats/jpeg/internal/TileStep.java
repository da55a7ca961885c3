package io.feedline.formats.jpeg.internal;

/**
 * One loop over a tile, from index {@code start} of the planes' arrays on. A tile is converted by a
 * list of steps because one call site then calls many kinds of loops, so that each is compiled
 * separately. Otherwise C2 would inline loops into their caller up to its limit, leave the last
 * calls out, and pass vectors through memory, at six times the cost.
 */
@FunctionalInterface
interface TileStep {
  void run(int start, int n);
}
