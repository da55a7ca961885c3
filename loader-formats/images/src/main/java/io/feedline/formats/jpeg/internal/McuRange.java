package io.feedline.formats.jpeg.internal;

/** A rectangle of MCUs; {@code right} and {@code bottom} are exclusive. */
record McuRange(int left, int right, int top, int bottom) {

  int columns() {
    return right - left;
  }

  int rows() {
    return bottom - top;
  }
}
