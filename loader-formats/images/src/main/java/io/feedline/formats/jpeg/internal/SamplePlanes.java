package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;

/**
 * The samples of an image's components, between the transform and pixels. {@link PhasePlanes}
 * support all images; {@link RowPlanes} are faster if there are {@link RowKernels}.
 */
abstract class SamplePlanes {

  enum Colors {
    /** Luma and chroma, or luma alone. */
    YCC,
    RGB,
    /** Luma only; chroma is not stored. */
    LUMA
  }

  /** Starts an image; samples of earlier images are undefined afterwards. */
  abstract void begin(PlaneLayout layout, Colors colors, McuRange range);

  /**
   * Stores the luma blocks of {@code count} neighboring MCUs, from {@code slot} on. Samples to
   * their right may be overwritten, so the MCUs of a row must be stored from left to right.
   *
   * @param step the number of slots from a block of an MCU to the next block
   * @param row the row of MCUs, counted from the top of the range
   * @param column the column of the first MCU, counted from the left of the range
   */
  abstract void storeLuma(BlockSamples samples, int slot, int step, int row, int column, int count);

  abstract void storeChroma(
      BlockSamples samples, int slot, int step, int row, int column, int count);

  /** Completes the samples, before the first row is read. */
  abstract void finish();

  /** Reads {@code width} pixels of a row from {@code x} on; both count within the range. */
  abstract void read(int row, int x, int width, int[] target, int offset);

  /** Stores pixel {@code x + c} of row {@code row + i} in {@code columns[c][i]}. */
  void readColumns(int row, int rows, int x, int width, int[][] columns) {
    int[] pixels = new int[width];
    for (int i = 0; i < rows; i++) {
      read(row + i, x, width, pixels, 0);
      for (int c = 0; c < width; c++) {
        columns[c][i] = pixels[c];
      }
    }
  }

  interface Edges {
    /** Repeats the leftmost sample of each row to the left. */
    void extendLeft();

    /** Copies, in each row, the sample before {@code x} to {@code x}. */
    void extendRight(int x);

    /** Copies a row with its border to another row; -1 and the row after the last are borders. */
    void copyRow(int from, int to);
  }

  /** Repeats chroma samples beyond those edges of the image that the range touches. */
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
