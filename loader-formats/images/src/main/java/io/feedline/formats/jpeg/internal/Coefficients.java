package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * The dequantized coefficients of a batch of blocks. The value of frequency {@code f} (8 * row +
 * column) of the block in slot {@code s} is {@code values()[f * BLOCKS + s]}, so loops run over
 * neighboring ints. Block k of the m-th MCU of a batch is in slot {@code k * mcusPerBatch() + m}.
 */
public final class Coefficients {
  /**
   * The number of slots. It is a constant, because the JIT compiler vectorizes the transform only
   * if the distance between frequencies is constant. It is 16 times an odd number, so that the
   * frequencies of a block do not compete for the same cache lines. It is small enough for the
   * first cache level; with 208 slots, plain loops took 4% longer for an image.
   */
  public static final int BLOCKS = 112;

  static final int USED = 64 * BLOCKS;

  private final int[] values = new int[Integer.highestOneBit(USED + BLOCKS - 1) << 1];
  private int mcusPerBatch;

  /**
   * Returns the values; all must be 0 before a batch. The length is a power of two, so that a mask
   * makes an index safe. Values from frequency 64 on result from corrupt data and are never read.
   */
  public int[] values() {
    return values;
  }

  /** Returns the distance between the slots of neighboring blocks of an MCU. */
  public int mcusPerBatch() {
    return mcusPerBatch;
  }

  public void begin(int mcusPerBatch) {
    this.mcusPerBatch = mcusPerBatch;
    clear();
  }

  public void clear() {
    Arrays.fill(values, 0, USED, 0);
  }
}
