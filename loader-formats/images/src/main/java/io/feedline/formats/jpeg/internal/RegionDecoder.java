package io.feedline.formats.jpeg.internal;

/**
 * A decoder of one region after another, which keeps what it decoded last. The workspace of one
 * thread: not thread-safe.
 */
public interface RegionDecoder {

  /**
   * Sets whether images that are decoded from now on are gray: {@link #read} then gives luma, 0 to
   * 255, and nothing is made of chroma. That is libjpeg's output in {@code JCS_GRAYSCALE}. Not for
   * images that are stored as RGB.
   */
  void onlyLuma(boolean onlyLuma);

  /**
   * Gives rows of the rectangle decoded last.
   *
   * @param y the first row, counted from the rectangle's top
   * @param rows how many
   * @param pixels receives for each pixel red in bits 0 to 7, green in 8 to 15, blue in 16 to 23,
   *     and 0 above; or luma, see {@link #onlyLuma}
   * @param offset where in {@code pixels} the first row begins
   * @param stride how far in {@code pixels} rows are apart
   * @throws IllegalStateException if the last call of decode failed, or there was none
   * @throws IndexOutOfBoundsException if the rectangle has no such rows, or they do not fit
   */
  void read(int y, int rows, int[] pixels, int offset, int stride);

  /**
   * Gives rows column by column: pixel x of row {@code y + i} in {@code columns[x][i]}. Otherwise
   * as {@link #read}.
   */
  void readColumns(int y, int rows, int[][] columns);
}
