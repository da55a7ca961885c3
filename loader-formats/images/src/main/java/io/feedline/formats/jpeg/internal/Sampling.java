package io.feedline.formats.jpeg.internal;

/**
 * The number of luma samples for each chroma sample, across and down. A JPEG stream interleaves its
 * components in units called MCUs. An MCU has {@link #lumaBlocks()} blocks of luma, row by row, and
 * then one block of each chroma component.
 */
public enum Sampling {
  /** One component; an MCU is one block for any sampling factors in the file. */
  GRAY(1, 1, 1),
  S444(3, 1, 1),
  S422(3, 2, 1),
  S420(3, 2, 2),
  S440(3, 1, 2),
  S411(3, 4, 1);

  private final int components;
  private final int horizontal;
  private final int vertical;

  Sampling(int components, int horizontal, int vertical) {
    this.components = components;
    this.horizontal = horizontal;
    this.vertical = vertical;
  }

  public int components() {
    return components;
  }

  public int horizontal() {
    return horizontal;
  }

  public int vertical() {
    return vertical;
  }

  public int lumaBlocks() {
    return horizontal * vertical;
  }

  public int componentOf(int block) {
    return Math.max(0, block - lumaBlocks() + 1);
  }

  public int blocksPerMcu() {
    return lumaBlocks() + components - 1;
  }
}
