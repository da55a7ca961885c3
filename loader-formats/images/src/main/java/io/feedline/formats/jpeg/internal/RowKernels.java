package io.feedline.formats.jpeg.internal;

/**
 * The inner loops of {@link RowPlanes}. They run over whole vectors: they may read {@link #SLACK}
 * samples behind a run and, unless they say otherwise, write there. There is no plain
 * implementation: without vector instructions for bytes {@link PhasePlanes} are faster.
 */
abstract class RowKernels {
  static final int SLACK = 64;

  /**
   * Moves {@code count} neighboring transformed blocks, from {@code slot} on, to where their
   * samples lie in the image; {@code stride} leads from a row of samples to the next.
   */
  abstract void place(BlockSamples blocks, int slot, byte[] plane, int to, int stride, int count);

  /**
   * Like {@link #place}, for MCUs that are two blocks wide; the second blocks are at {@code slot2}.
   */
  abstract void placePairs(
      BlockSamples blocks, int slot, int slot2, byte[] plane, int to, int stride, int count);

  /** {@code out[i] = samples[at + i]}. */
  abstract void widen(byte[] samples, int at, short[] out, int n);

  /** {@code out[i] = 3 * samples[near + i] + samples[far + i]}. */
  abstract void blend(byte[] samples, int near, int far, short[] out, int n);

  /**
   * {@code out[2 * i] = (3 * row[i + 1] + row[i] + even) >> shift} and {@code out[2 * i + 1] = (3 *
   * row[i + 1] + row[i + 2] + odd) >> shift}.
   */
  abstract void stretch(short[] row, int even, int odd, int shift, byte[] out, int n);

  /**
   * Makes exactly {@code n} pixels, at least {@link #fewest}, of luma and chroma; writes nothing
   * else.
   */
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
