package io.feedline.formats.jpeg.internal;

/**
 * The samples of a batch of blocks, as {@link PixelKernels#transform} writes them. Element {@code y
 * * BLOCKS + s} contains four samples of row y of the block in slot s, the first in the lowest
 * byte: samples 0 to 3 in {@code left}, 4 to 7 in {@code right}. Each array has {@link
 * PixelKernels#SLACK} more ints at its end.
 */
record BlockSamples(int[] left, int[] right) {
  private static final int LENGTH = 8 * Coefficients.BLOCKS + PixelKernels.SLACK;

  BlockSamples() {
    this(new int[LENGTH], new int[LENGTH]);
  }
}
