package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;

import java.util.Arrays;

/**
 * The inverse DCT of a batch in plain Java, on all slots at once, as in libjpeg's {@code
 * jidctint.c} for blocks of 8 and {@code jidctred.c} for smaller blocks.
 *
 * <p>It takes two passes, over columns and then over rows. In between, the data are transposed by
 * copying runs of {@link Coefficients#BLOCKS} ints. So the inputs of a line lie at constant
 * distances in both passes.
 *
 * <p>libjpeg shares products between outputs. Here a loop computes only two outputs, and the
 * products are multiplied out; they are integers, so the sums are the same. C2 does not vectorize a
 * loop with four outputs, nor a loop whose index starts at another number than 0 or ends at a
 * variable; such loops take six times as long. The multipliers have 13 fractional bits.
 */
final class PlainTransform {
  // The distance between two inputs of a line; it is also the number of lines of all blocks.
  private static final int EIGHT = 8 * BLOCKS;
  private static final int FOUR = 4 * BLOCKS;
  private static final int TWO = 2 * BLOCKS;

  /** The number that, added to a value that is small enough, makes it 0 to 2^15 - 1. */
  private static final int OFFSET = 1 << (SixteenBitTransform.SAFE_BITS - 1);

  private final int[] work = new int[8 * EIGHT];
  private final int[] transposed = new int[8 * FOUR];
  private final int[] large = new int[EIGHT];

  /**
   * Transforms blocks to 8 x 8 samples, and destroys the coefficients. But if values may exceed 16
   * bits, returns false and changes nothing, like the smaller transforms.
   */
  boolean eight(int[] coefficients, int[] left, int[] right) {
    // The pass over columns keeps 2 fractional bits. The pass over rows removes the fractional bits
    // and a factor of 8, and adds the center, 128.
    linesOfEight(coefficients, work, 1 << 10, 11);
    if (areLarge(work, 8)) {
      return false;
    }
    transpose(work, 8, coefficients);
    linesOfEight(coefficients, work, (1 << 17) + (128 << 18), 18);
    packLeft(work, left);
    packRight(work, right);
    return true;
  }

  boolean four(int[] coefficients, int[] left) {
    columnsOfFour(coefficients, work);
    if (areLarge(work, 4)) {
      return false;
    }
    transpose(work, 4, transposed);
    rowsOfFour(transposed, work);
    packFour(work, left);
    return true;
  }

  boolean two(int[] coefficients, int[] left) {
    columnsOfTwo(coefficients, work);
    if (areLarge(work, 2)) {
      return false;
    }
    transpose(work, 2, transposed);
    rowsOfTwo(transposed, left);
    return true;
  }

  /** Transforms blocks to one sample each, from 10 bits of the DC value (jpeg_idct_1x1). */
  static boolean one(int[] coefficients, int[] left) {
    for (int i = 0; i < BLOCKS; i++) {
      left[i] = PlainPixelKernels.clip((((coefficients[i] + 4) << 19) >> 22) + 128);
    }
    return true;
  }

  private boolean areLarge(int[] values, int rows) {
    if (rows == 8) {
      largeOfEight(values, large);
    } else {
      Arrays.fill(large, 0);
      for (int row = 0; row < rows; row++) {
        largeOfOne(values, row * EIGHT, large);
      }
    }
    // The values of each block are merged first, so that the loop over single values is short.
    mergeEight(large);
    int any = 0;
    for (int i = 0; i < BLOCKS; i++) {
      any |= large[i];
    }
    return any >>> SixteenBitTransform.SAFE_BITS != 0;
  }

  private static void largeOfEight(int[] in, int[] large) {
    for (int i = 0; i < EIGHT; i++) {
      large[i] =
          (in[i] + OFFSET)
              | (in[i + EIGHT] + OFFSET)
              | (in[i + 2 * EIGHT] + OFFSET)
              | (in[i + 3 * EIGHT] + OFFSET)
              | (in[i + 4 * EIGHT] + OFFSET)
              | (in[i + 5 * EIGHT] + OFFSET)
              | (in[i + 6 * EIGHT] + OFFSET)
              | (in[i + 7 * EIGHT] + OFFSET);
    }
  }

  private static void largeOfOne(int[] in, int start, int[] large) {
    for (int i = 0; i < EIGHT; i++) {
      large[i] |= in[start + i] + OFFSET;
    }
  }

  private static void mergeEight(int[] large) {
    for (int i = 0; i < BLOCKS; i++) {
      large[i] =
          large[i]
              | large[i + BLOCKS]
              | large[i + 2 * BLOCKS]
              | large[i + 3 * BLOCKS]
              | large[i + 4 * BLOCKS]
              | large[i + 5 * BLOCKS]
              | large[i + 6 * BLOCKS]
              | large[i + 7 * BLOCKS];
    }
  }

  /** Transposes {@code rows} rows of 8 columns to 8 rows of {@code rows} columns, for all slots. */
  private static void transpose(int[] from, int rows, int[] to) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < 8; column++) {
        int source = (row * 8 + column) * BLOCKS;
        int target = (column * rows + row) * BLOCKS;
        System.arraycopy(from, source, to, target, BLOCKS);
      }
    }
  }

  private static void linesOfEight(int[] in, int[] out, int rounding, int shift) {
    // This is a parameter, because C2 would compile a multiplication by the constant to a shift and
    // a subtraction, without vectors.
    int minus1 = -(1 << 13);
    outputs0And7(in, out, rounding, shift);
    outputs1And6(in, out, minus1, rounding, shift);
    outputs2And5(in, out, minus1, rounding, shift);
    outputs3And4(in, out, rounding, shift);
  }

  private static void outputs0And7(int[] in, int[] out, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      int even =
          ((in[i] + in[i + 4 * EIGHT]) << 13)
              + in[i + 2 * EIGHT] * 10703
              + in[i + 6 * EIGHT] * 4433
              + rounding;
      int odd =
          in[i + EIGHT] * 11363
              + in[i + 3 * EIGHT] * 9633
              + in[i + 5 * EIGHT] * 6437
              + in[i + 7 * EIGHT] * 2260;
      out[i] = (even + odd) >> shift;
      out[i + 7 * EIGHT] = (even - odd) >> shift;
    }
  }

  private static void outputs1And6(int[] in, int[] out, int minus1, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      int even =
          (in[i] << 13)
              + in[i + 4 * EIGHT] * minus1
              + in[i + 2 * EIGHT] * 4433
              + in[i + 6 * EIGHT] * -10704
              + rounding;
      int odd =
          in[i + EIGHT] * 9633
              + in[i + 3 * EIGHT] * -2259
              + in[i + 5 * EIGHT] * -11362
              + in[i + 7 * EIGHT] * -6436;
      out[i + EIGHT] = (even + odd) >> shift;
      out[i + 6 * EIGHT] = (even - odd) >> shift;
    }
  }

  private static void outputs2And5(int[] in, int[] out, int minus1, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      int even =
          (in[i] << 13)
              + in[i + 4 * EIGHT] * minus1
              + in[i + 2 * EIGHT] * -4433
              + in[i + 6 * EIGHT] * 10704
              + rounding;
      int odd =
          in[i + EIGHT] * 6437
              + in[i + 3 * EIGHT] * -11362
              + in[i + 5 * EIGHT] * 2261
              + in[i + 7 * EIGHT] * 9633;
      out[i + 2 * EIGHT] = (even + odd) >> shift;
      out[i + 5 * EIGHT] = (even - odd) >> shift;
    }
  }

  private static void outputs3And4(int[] in, int[] out, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      int even =
          ((in[i] + in[i + 4 * EIGHT]) << 13)
              + in[i + 2 * EIGHT] * -10703
              + in[i + 6 * EIGHT] * -4433
              + rounding;
      int odd =
          in[i + EIGHT] * 2260
              + in[i + 3 * EIGHT] * -6436
              + in[i + 5 * EIGHT] * 9633
              + in[i + 7 * EIGHT] * -11363;
      out[i + 3 * EIGHT] = (even + odd) >> shift;
      out[i + 4 * EIGHT] = (even - odd) >> shift;
    }
  }

  private static void packLeft(int[] samples, int[] words) {
    for (int i = 0; i < EIGHT; i++) {
      words[i] =
          PlainPixelKernels.clip(samples[i])
              | PlainPixelKernels.clip(samples[i + EIGHT]) << 8
              | PlainPixelKernels.clip(samples[i + 2 * EIGHT]) << 16
              | PlainPixelKernels.clip(samples[i + 3 * EIGHT]) << 24;
    }
  }

  private static void packRight(int[] samples, int[] words) {
    for (int i = 0; i < EIGHT; i++) {
      words[i] =
          PlainPixelKernels.clip(samples[i + 4 * EIGHT])
              | PlainPixelKernels.clip(samples[i + 5 * EIGHT]) << 8
              | PlainPixelKernels.clip(samples[i + 6 * EIGHT]) << 16
              | PlainPixelKernels.clip(samples[i + 7 * EIGHT]) << 24;
    }
  }

  /** Computes 4 outputs, with 2 fractional bits, from all inputs except the fifth. */
  private static void columnsOfFour(int[] in, int[] out) {
    for (int i = 0; i < EIGHT; i++) {
      int even = (in[i] << 14) + in[i + 2 * EIGHT] * 15137 + in[i + 6 * EIGHT] * -6270 + (1 << 11);
      int odd =
          in[i + EIGHT] * 20995
              + in[i + 3 * EIGHT] * 7373
              + in[i + 5 * EIGHT] * -4926
              + in[i + 7 * EIGHT] * -4176;
      out[i] = (even + odd) >> 12;
      out[i + 3 * EIGHT] = (even - odd) >> 12;
    }
    for (int i = 0; i < EIGHT; i++) {
      int even = (in[i] << 14) + in[i + 2 * EIGHT] * -15137 + in[i + 6 * EIGHT] * 6270 + (1 << 11);
      int odd =
          in[i + EIGHT] * 8697
              + in[i + 3 * EIGHT] * -17799
              + in[i + 5 * EIGHT] * 11893
              + in[i + 7 * EIGHT] * -1730;
      out[i + EIGHT] = (even + odd) >> 12;
      out[i + 2 * EIGHT] = (even - odd) >> 12;
    }
  }

  private static void rowsOfFour(int[] in, int[] out) {
    int rounding = (1 << 18) + (128 << 19);
    for (int i = 0; i < FOUR; i++) {
      int even = (in[i] << 14) + in[i + 2 * FOUR] * 15137 + in[i + 6 * FOUR] * -6270 + rounding;
      int odd =
          in[i + FOUR] * 20995
              + in[i + 3 * FOUR] * 7373
              + in[i + 5 * FOUR] * -4926
              + in[i + 7 * FOUR] * -4176;
      out[i] = (even + odd) >> 19;
      out[i + 3 * FOUR] = (even - odd) >> 19;
    }
    for (int i = 0; i < FOUR; i++) {
      int even = (in[i] << 14) + in[i + 2 * FOUR] * -15137 + in[i + 6 * FOUR] * 6270 + rounding;
      int odd =
          in[i + FOUR] * 8697
              + in[i + 3 * FOUR] * -17799
              + in[i + 5 * FOUR] * 11893
              + in[i + 7 * FOUR] * -1730;
      out[i + FOUR] = (even + odd) >> 19;
      out[i + 2 * FOUR] = (even - odd) >> 19;
    }
  }

  private static void packFour(int[] samples, int[] words) {
    for (int i = 0; i < FOUR; i++) {
      words[i] =
          PlainPixelKernels.clip(samples[i])
              | PlainPixelKernels.clip(samples[i + FOUR]) << 8
              | PlainPixelKernels.clip(samples[i + 2 * FOUR]) << 16
              | PlainPixelKernels.clip(samples[i + 3 * FOUR]) << 24;
    }
  }

  /** Computes 2 outputs, with 2 fractional bits, from the first input and the odd inputs. */
  private static void columnsOfTwo(int[] in, int[] out) {
    for (int i = 0; i < EIGHT; i++) {
      int even = (in[i] << 15) + (1 << 12);
      int odd =
          in[i + EIGHT] * 29692
              + in[i + 3 * EIGHT] * -10426
              + in[i + 5 * EIGHT] * 6967
              + in[i + 7 * EIGHT] * -5906;
      out[i] = (even + odd) >> 13;
      out[i + EIGHT] = (even - odd) >> 13;
    }
  }

  private static void rowsOfTwo(int[] in, int[] words) {
    int rounding = (1 << 19) + (128 << 20);
    for (int i = 0; i < TWO; i++) {
      int even = (in[i] << 15) + rounding;
      int odd =
          in[i + TWO] * 29692
              + in[i + 3 * TWO] * -10426
              + in[i + 5 * TWO] * 6967
              + in[i + 7 * TWO] * -5906;
      words[i] =
          PlainPixelKernels.clip((even + odd) >> 20)
              | PlainPixelKernels.clip((even - odd) >> 20) << 8;
    }
  }
}
