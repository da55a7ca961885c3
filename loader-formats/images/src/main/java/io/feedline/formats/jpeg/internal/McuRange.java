package io.feedline.formats.jpeg.internal;

/**
 * A rectangle of MCUs.
 *
 * @param left its first column
 * @param right the column after its last column
 * @param top its first row
 * @param bottom the row after its last row
 */
record McuRange(int left, int right, int top, int bottom) {

  int columns() {
    return right - left;
  }

  int rows() {
    return bottom - top;
  }
}
