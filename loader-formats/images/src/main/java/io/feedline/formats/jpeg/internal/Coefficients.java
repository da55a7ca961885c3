package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * The dequantized coefficients of a batch of blocks, by frequency: the value of frequency {@code f}
 * (in natural order, 8 * row + column) of the block in slot {@code s} is {@code values()[f * BLOCKS
 * + s]}. So the same arithmetic on the same frequency of many blocks runs over neighboring ints.
 *
 * <p>Block k of the m-th MCU of a batch is in slot {@code k * mcusPerBatch() + m}.
 */
public final class Coefficients {
  /**
   * The number of slots. A constant, so that the distance from one frequency to the next is a
   * constant, without which the JIT compiler does not vectorise the transform. 16 times an odd
   * number, so that the frequencies of a block do not compete for the same lines of a cache; and
   * few enough that all of them fit into its first level, and that batches are full: with 208,
   * plain loops took 4% longer for an image.
   */
  public static final int BLOCKS = 112;

  /** The number of ints that hold frequencies; the ints after them receive discarded values. */
  static final int USED = 64 * BLOCKS;

  private final int[] values = new int[Integer.highestOneBit(USED + BLOCKS - 1) << 1];
  private int mcusPerBatch;

  /**
   * The values, all 0 before a batch. Its length is a power of two, so that an index can be made
   * safe by a mask. Values that corrupt data add at frequency 64 and beyond are never read.
   */
  public int[] values() {
    return values;
  }

  /** The distance between the slots of the blocks of an MCU. */
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
