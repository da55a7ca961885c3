package io.feedline.formats.jpeg.internal;

/**
 * The samples of a batch of blocks, as {@link PixelKernels#transform} writes them. Sample x of row
 * y of the block in slot s is byte {@code x % 4} of {@code left[y * BLOCKS + s]}; from x = 4 on, it
 * is that byte of the same element of {@code right}. Each array has {@link PixelKernels#SLACK} more
 * ints at its end.
 */
record BlockSamples(int[] left, int[] right) {
  private static final int LENGTH = 8 * Coefficients.BLOCKS + PixelKernels.SLACK;

  BlockSamples() {
    this(new int[LENGTH], new int[LENGTH]);
  }
}
