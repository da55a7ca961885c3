package io.feedline.formats.jpeg.internal;

/**
 * The inner loops of {@link RowPlanes}. They run over whole vectors, so they may read up to {@link
 * #SLACK} samples after a run. Unless a kernel states otherwise, they may also write these samples.
 * There is no plain implementation, because without vector instructions for bytes {@link
 * PhasePlanes} are faster.
 */
abstract class RowKernels {
  static final int SLACK = 64;

  /**
   * Copies {@code count} neighboring transformed blocks, from {@code slot} on, to the places of
   * their samples in the image. {@code stride} is the distance from a row of samples to the next.
   */
  abstract void place(BlockSamples blocks, int slot, byte[] plane, int to, int stride, int count);

  /**
   * Copies blocks like {@link #place}, for MCUs of two blocks side by side. The left blocks are
   * from {@code slot} on, the right blocks from {@code slot2} on.
   */
  abstract void placePairs(
      BlockSamples blocks, int slot, int slot2, byte[] plane, int to, int stride, int count);

  /** Stores {@code out[i] = samples[at + i]}. */
  abstract void widen(byte[] samples, int at, short[] out, int n);

  /** Stores {@code out[i] = 3 * samples[near + i] + samples[far + i]}. */
  abstract void blend(byte[] samples, int near, int far, short[] out, int n);

  /**
   * Stores {@code out[2 * i] = (3 * row[i + 1] + row[i] + even) >> shift} and {@code out[2 * i + 1]
   * = (3 * row[i + 1] + row[i + 2] + odd) >> shift}.
   */
  abstract void stretch(short[] row, int even, int odd, int shift, byte[] out, int n);

  /** Computes {@code n} pixels, {@link #fewest} or more, and writes nothing after them. */
  abstract void color(
      byte[] luma,
      int lumaAt,
      byte[] cb,
      int cbAt,
      byte[] cr,
      int crAt,
      int[] pixels,
      int to,
      int n);

  abstract int fewest();
}
