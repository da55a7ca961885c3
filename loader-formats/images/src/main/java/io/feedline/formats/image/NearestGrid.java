package io.feedline.formats.image;

import io.feedline.formats.image.pixel.Region;

/** For each pixel of a warped mask, the nearest one of the mask before. Immutable. */
interface NearestGrid {

  /** Columns of the result. */
  int width();

  /** Rows of the result. */
  int height();

  /**
   * Finds the pixels of a part of the result.
   *
   * @param xs receives their columns, row by row; any column outside the source for a pixel without
   *     a source
   * @param ys receives their rows
   */
  void nearest(Region part, int[] xs, int[] ys);
}
