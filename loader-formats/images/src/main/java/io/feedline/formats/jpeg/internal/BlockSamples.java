package io.feedline.formats.jpeg.internal;

/**
 * The samples of a batch of blocks, as {@link PixelKernels#transform} leaves them: samples x of row
 * y of the block in slot s are in byte {@code x % 4} of {@code left[y * BLOCKS + s]}, or of {@code
 * right} from x = 4 on. {@link PixelKernels#SLACK} ints follow.
 */
record BlockSamples(int[] left, int[] right) {
  private static final int LENGTH = 8 * Coefficients.BLOCKS + PixelKernels.SLACK;

  BlockSamples() {
    this(new int[LENGTH], new int[LENGTH]);
  }
}
