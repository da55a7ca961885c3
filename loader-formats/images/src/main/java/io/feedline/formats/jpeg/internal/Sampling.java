package io.feedline.formats.jpeg.internal;

/**
 * The number of samples of brightness for each sample of color. The usual names: 4:2:0 has one
 * sample of each color component for each square of four pixels.
 *
 * <p>An MCU, the unit that a JPEG stream interleaves its components by, holds {@link #lumaBlocks()}
 * blocks of brightness, row by row, and then one block of each color component.
 */
public enum Sampling {
  /** One component. Its factors in the file do not matter: an MCU is one block. */
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

  /** The number of components, 1 or 3. */
  public int components() {
    return components;
  }

  /** Returns the number of luma samples for each chroma sample, horizontally. */
  public int horizontal() {
    return horizontal;
  }

  /** Returns the number of luma samples for each chroma sample, vertically. */
  public int vertical() {
    return vertical;
  }

  /** The number of luma blocks in an MCU. */
  public int lumaBlocks() {
    return horizontal * vertical;
  }

  /** The component of a block of an MCU. */
  public int componentOf(int block) {
    return Math.max(0, block - lumaBlocks() + 1);
  }

  /** The number of blocks in an MCU. */
  public int blocksPerMcu() {
    return lumaBlocks() + components - 1;
  }
}
