package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Interpolation;

/**
 * The shift of each pixel's source position: the {@code displacement} of torchvision's {@code
 * elastic}. The unit is half of the image's side; a shift of 0 leaves the pixel unchanged.
 */
final class Displacement {
  private final float[] alongX;
  private final float[] alongY;
  private final float[] columns;
  private final float[] rows;

  private Displacement(float[] alongX, float[] alongY, int width, int height) {
    this.alongX = alongX;
    this.alongY = alongY;
    this.columns = centers(width);
    this.rows = centers(height);
  }

  /**
   * Returns a displacement; see {@link Image#elastic(float[], float[], Interpolation, int)}. Does
   * not copy the arrays.
   */
  static Displacement of(float[] alongX, float[] alongY, int width, int height) {
    long pixels = (long) width * height;
    if (alongX.length != pixels || alongY.length != pixels) {
      throw new IllegalArgumentException(
          "a displacement of %d x %d pixels takes %d numbers along each axis, not %d and %d"
              .formatted(width, height, pixels, alongX.length, alongY.length));
    }
    return new Displacement(alongX, alongY, width, height);
  }

  /**
   * Returns the centers of {@code size} pixels between edges at -1 and 1: {@code torch.linspace((1
   * - size) / size, (size - 1) / size, size)}, which adds its steps from the nearer end.
   */
  private static float[] centers(int size) {
    float last = (float) ((size - 1) / (double) size);
    float first = -last;
    float step = size == 1 ? 0 : (last - first) / (size - 1);
    float[] centers = new float[size];
    for (int i = 0; i < size; i++) {
      centers[i] = i < size / 2 ? first + step * i : last - step * (size - i - 1);
    }
    return centers;
  }

  int width() {
    return columns.length;
  }

  int height() {
    return rows.length;
  }

  /** Returns the shift to the right of a pixel's source, in halves of the image's width. */
  float alongX(int column, int row) {
    return alongX[row * columns.length + column];
  }

  /** Returns the shift downwards of a pixel's source, in halves of the image's height. */
  float alongY(int column, int row) {
    return alongY[row * columns.length + column];
  }

  /** Returns the source position of a pixel along x, between the image's edges at -1 and 1. */
  float positionX(int column, int row) {
    return columns[column] + alongX(column, row);
  }

  /** Returns the source position of a pixel along y, between the image's edges at -1 and 1. */
  float positionY(int column, int row) {
    return rows[row] + alongY(column, row);
  }

  /** Returns the column from which a pixel is taken; 0 is the center of the first column. */
  float sourceX(int column, int row) {
    return pixel(positionX(column, row), columns.length);
  }

  /** Returns the row from which a pixel is taken; 0 is the center of the first row. */
  float sourceY(int column, int row) {
    return pixel(positionY(column, row), rows.length);
  }

  /** Converts a position between edges at -1 and 1 to a pixel's index, with a single rounding. */
  static float pixel(float position, int size) {
    return Math.fma(position + 1, size / 2f, -0.5f);
  }

  /**
   * Returns the approximate column to which the content of a pixel moves: torchvision's way to move
   * points, which uses the displacement at the pixel's old place.
   */
  float targetX(int column, int row) {
    return (columns[column] - alongX(column, row) + 1) * (0.5f * columns.length) - 0.5f;
  }

  /** Returns the approximate row to which the content of a pixel moves; see {@link #targetX}. */
  float targetY(int column, int row) {
    return (rows[row] - alongY(column, row) + 1) * (0.5f * rows.length) - 0.5f;
  }

  /** Returns this displacement for an image of {@code scale} times the width and height. */
  Displacement enlarged(int scale) {
    if (scale == 1) {
      return this;
    }
    int width = Math.multiplyExact(scale, width());
    int height = Math.multiplyExact(scale, height());
    float[] largerX = new float[Math.multiplyExact(width, height)];
    float[] largerY = new float[largerX.length];
    for (int i = 0; i < largerX.length; i++) {
      largerX[i] = alongX(i % width / scale, i / width / scale);
      largerY[i] = alongY(i % width / scale, i / width / scale);
    }
    return of(largerX, largerY, width, height);
  }
}
