package io.feedline.formats.jpeg.internal;

/**
 * The inner loops of {@link RowPlanes}, where samples are bytes and neighbors are neighbors of the
 * image. All of them run over whole vectors: they may read {@link #SLACK} samples behind a run and,
 * unless they say otherwise, write there.
 *
 * <p>The one implementation, {@code VectorRowKernels} on the JDK's Vector API, is held by tests to
 * the pixels of {@link PhasePlanes}. There is no plain implementation: without vector instructions
 * for bytes the other layout is faster.
 */
abstract class RowKernels {
  /** The bytes beyond the end of a run that may be read and written; 64 is a vector of 512 bits. */
  static final int SLACK = 64;

  /**
   * Moves transformed blocks to where their samples lie in the image.
   *
   * @param slot the slot of the first block
   * @param to where its first sample goes
   * @param stride from a row of samples to the next
   * @param count of neighboring blocks
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
   * Makes two samples of each: {@code out[2 * i] = (3 * row[i + 1] + row[i] + even) >> shift} and
   * {@code out[2 * i + 1] = (3 * row[i + 1] + row[i + 2] + odd) >> shift}.
   */
  abstract void stretch(short[] row, int even, int odd, int shift, byte[] out, int n);

  /**
   * Makes pixels of luma and chroma.
   *
   * @param pixels receives {@code n} pixels from {@code to} on, and nothing else is written
   * @param n at least {@link #fewest}
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

  /** Returns the smallest number of pixels that {@link #color} makes. */
  abstract int fewest();
}
