package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;

/**
 * The samples of an image's components, between the transform and pixels. There are two layouts:
 * {@link PhasePlanes}, for all images and kernels, and {@link RowPlanes}, which is faster where
 * there are {@link RowKernels}. Memory is kept for the next image.
 */
abstract class SamplePlanes {

  /** The conversion of an image's components to pixels. */
  enum Colors {
    /** The components are luma and chroma, or luma alone. */
    YCC,
    /** The components are red, green and blue. */
    RGB,
    /** The first component is luma, and only luma is wanted: chroma is not stored. */
    LUMA
  }

  /**
   * Starts an image; the former values are undefined afterwards.
   *
   * @param colors how components become pixels
   * @param range the MCUs that will be stored
   */
  abstract void begin(PlaneLayout layout, Colors colors, McuRange range);

  /**
   * Takes the luma blocks of neighboring MCUs. Samples to their right may be overwritten, so the
   * MCUs of a row must come from left to right.
   *
   * @param slot the slot of the first MCU's first block; the slots of the other MCUs follow
   * @param step from a block of an MCU to the next
   * @param row of MCUs, from the top of the range
   * @param column the first MCU, from the left of the range
   * @param count of MCUs
   */
  abstract void storeLuma(BlockSamples samples, int slot, int step, int row, int column, int count);

  /** Takes the blocks of both chroma components, as {@link #storeLuma} does. */
  abstract void storeChroma(
      BlockSamples samples, int slot, int step, int row, int column, int count);

  /** Completes the samples, after the last MCU was stored and before the first row is read. */
  abstract void finish();

  /**
   * Gives a part of a row.
   *
   * @param row from the top of the range, in pixels
   * @param x the first pixel, from the left of the range
   * @param target receives {@code width} pixels from {@code offset} on
   */
  abstract void read(int row, int x, int width, int[] target, int offset);

  /**
   * Gives a part of neighboring rows, column by column.
   *
   * @param row the first, from the top of the range, in pixels
   * @param rows how many
   * @param x the first pixel, from the left of the range
   * @param columns receives pixel {@code x + c} of row {@code row + i} in {@code columns[c][i]}
   */
  void readColumns(int row, int rows, int x, int width, int[][] columns) {
    int[] pixels = new int[width];
    for (int i = 0; i < rows; i++) {
      read(row + i, x, width, pixels, 0);
      for (int c = 0; c < width; c++) {
        columns[c][i] = pixels[c];
      }
    }
  }

  /** The memory that is kept for the next image, in bytes. */
  abstract long bytes();

  /** A component whose samples can be repeated beyond the edges of the image. */
  interface Edges {
    /** Repeats the leftmost sample of each row to the left. */
    void extendLeft();

    /** Copies, in each row, the sample before {@code x} to {@code x}. */
    void extendRight(int x);

    /** Copies a row, its border included, to another; -1 and the number of rows are the border. */
    void copyRow(int from, int to);
  }

  /** Repeats chroma samples beyond the edges of the image, if the range reaches the edges. */
  static void extend(Edges plane, PlaneLayout layout, McuRange range) {
    int size = layout.chromaSize();
    Stretch stretch = layout.stretch();
    if (stretch.across()) {
      if (range.left() == 0) {
        plane.extendLeft();
      }
      if (range.right() == layout.grid().columns()) {
        plane.extendRight(layout.chromaWidth() - range.left() * size);
      }
    }
    if (stretch.down()) {
      if (range.top() == 0) {
        plane.copyRow(0, -1);
      }
      if (range.bottom() == layout.grid().rows()) {
        int end = layout.chromaHeight() - range.top() * size;
        plane.copyRow(end - 1, end);
      }
    }
  }
}
