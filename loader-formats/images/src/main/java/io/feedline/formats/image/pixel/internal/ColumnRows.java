package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageSource.PixelRows;

/** Rows that can also be read column by column. */
public interface ColumnRows extends PixelRows {

  /**
   * Copies neighboring rows: pixel x of row {@code y + i} to {@code columns[x][i]}.
   *
   * @param y the first row, from 0
   * @param rows how many rows, 1 or more
   */
  void readColumns(int y, int rows, int[][] columns);

  /** Reads rows of any class column by column; {@code scratch} has room for four rows. */
  static void read(PixelRows rows, int y, int count, int[][] columns, int[] scratch) {
    if (rows instanceof ColumnRows direct) {
      direct.readColumns(y, count, columns);
      return;
    }
    int width = rows.width();
    for (int i = 0; i < count; i += 4) {
      int some = Math.min(4, count - i);
      rows.read(y + i, some, scratch, 0, width);
      if (some == 4) {
        turnFour(scratch, width, columns, i);
      } else {
        for (int r = 0; r < some; r++) {
          turn(scratch, r * width, width, columns, i + r);
        }
      }
    }
  }

  private static void turn(int[] row, int from, int width, int[][] columns, int to) {
    for (int x = 0; x < width; x++) {
      columns[x][to] = row[from + x];
    }
  }

  private static void turnFour(int[] rows, int width, int[][] columns, int to) {
    for (int x = 0; x < width; x++) {
      int[] column = columns[x];
      column[to] = rows[x];
      column[to + 1] = rows[width + x];
      column[to + 2] = rows[2 * width + x];
      column[to + 3] = rows[3 * width + x];
    }
  }
}
