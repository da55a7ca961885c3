package io.feedline.formats.image.pixel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The source of an image's pixels: an encoded image whose header has been read, another image whose
 * operations are still to be done, or pixels in memory. The size is known; nothing is decoded until
 * {@link #decode}. Thread-safe.
 */
public interface ImageSource {
  /** Returns the number of columns, after the orientation is applied, if requested. */
  int width();

  /** Returns the number of rows, after the orientation is applied, if requested. */
  int height();

  /** Returns the mode of the pixels. */
  default ImageMode mode() {
    return ImageMode.RGB;
  }

  /**
   * Decodes a part of the image.
   *
   * @param region a part of the image, not empty
   * @return the rows of exactly this region; the caller closes them before the same thread decodes
   *     again
   * @throws IOException if the image cannot be decoded
   */
  PixelRows decode(Region region) throws IOException;

  /**
   * Returns the same image at a fraction of its size, if it can be decoded at that size and its
   * options allow it.
   *
   * @param divisor the divisor of the sides, which are rounded up: 2, 4 or 8
   * @return the smaller image; null if it cannot or must not be decoded at this size
   */
  default @Nullable ImageSource reduced(int divisor) {
    return null;
  }

  /** Returns the description for errors and logs: the size, or the steps that make the image. */
  default String inWords() {
    return width() + " x " + height();
  }

  /**
   * A decoded part of an image, as rows of packed pixels. A pixel is an int with red in the lowest
   * byte, then green, blue and alpha, which is 0 in mode RGB. A pixel of one channel is the sample
   * itself. Rows are converted from the decoder's form when they are read, so that each row is
   * still in the cache when it is resized.
   *
   * <p>The caller of {@link #decode} closes the rows before the thread decodes another image: the
   * pixels may be in memory that the thread reuses. Not thread-safe.
   */
  interface PixelRows extends AutoCloseable {

    /** Returns the number of columns. */
    int width();

    /** Returns the number of rows. */
    int height();

    /**
     * Copies rows. Calls may read rows in any order and several times.
     *
     * @param y the first row, from 0
     * @param rows how many rows, 1 or more
     * @param pixels receives {@link #width} pixels of each row
     * @param offset the index in {@code pixels} of the first row
     * @param stride the distance from one row to the next in {@code pixels}
     */
    void read(int y, int rows, int[] pixels, int offset, int stride);

    /** Releases the memory of the pixels. Closing twice is allowed; reading afterwards is not. */
    @Override
    void close();
  }
}
