package io.feedline.formats.image.pixel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A source of a recipe's pixels: an encoded image whose header has been read, another recipe, or
 * pixels made by a program. The size is known; nothing is decoded until {@link #decode}.
 * Thread-safe.
 */
public interface ImageSource {
  /** Returns the number of columns, after the orientation is applied, if requested. */
  int width();

  /** Returns the number of rows, after the orientation is applied, if requested. */
  int height();

  /** Returns the mode of its pixels. */
  default ImageMode mode() {
    return ImageMode.RGB;
  }

  /**
   * Decodes a part of the image.
   *
   * @param region lies within the image and is not empty
   * @return exactly the region; to be closed by the caller, before this thread decodes again
   * @throws IOException if the image cannot be decoded
   */
  PixelRows decode(Region region) throws IOException;

  /**
   * Returns the same image at a fraction of its size, if it can be decoded so, and may be.
   *
   * @param divisor of the sides, which are rounded up: 2, 4 or 8
   * @return null if it cannot
   */
  default @Nullable ImageSource reduced(int divisor) {
    return null;
  }

  /** Returns its description in errors and logs: its size, or the steps that lead to it. */
  default String inWords() {
    return width() + " x " + height();
  }

  /**
   * A decoded part of an image, as rows of packed pixels: one int each, red in the lowest byte,
   * then green, blue, and alpha, which is 0 in mode RGB. A pixel of one channel is the sample
   * itself. Rows are converted from the decoder's form while they are read, so that each row is
   * still in the cache when it is resized.
   *
   * <p>The caller of the decoder closes it before the thread decodes anything else: its pixels may
   * lie in memory that the thread reuses. Not thread-safe.
   */
  interface PixelRows extends AutoCloseable {

    /** Returns the number of columns. */
    int width();

    /** Returns the number of rows. */
    int height();

    /**
     * Copies rows, in any order and as often as wanted.
     *
     * @param y the first row, from 0
     * @param rows how many, 1 or more
     * @param pixels receives {@link #width} pixels of each row
     * @param offset where the first row goes
     * @param stride from there to the next row
     */
    void read(int y, int rows, int[] pixels, int offset, int stride);

    /**
     * Gives back the memory of the pixels. Closing twice is harmless; reading afterwards is not.
     */
    @Override
    void close();
  }
}
