package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;

import io.feedline.formats.jpeg.internal.McuTables;

/**
 * Transforms samples to quantized coefficients, for {@link
 * io.feedline.formats.jpeg.internal.Coefficients#BLOCKS} blocks at once. The values of all blocks
 * for a sample or a coefficient lie side by side, and distances are constants, so that the JIT
 * compiler vectorizes the small loops.
 *
 * <p>The algorithm is that of Loeffler, Ligtenberg and Moschytz with constants of 13 bits, with the
 * sums of libjpeg's jfdctint.c. Divisions round halves away from zero, as in libjpeg's jcdctmgr.c.
 */
final class ForwardTransform {

  private static final int BLOCK = 8;
  private static final int COEFFICIENTS = 64;
  private static final int EIGHT = BLOCK * BLOCKS;
  private static final int ALL = COEFFICIENTS * BLOCKS;
  private static final int RECIPROCAL_BITS = 16;

  /**
   * For each place in zigzag order, the row of {@link #ordered} with the coefficients of the place.
   * {@link #markPresent} combines the upper half of the rows with the lower half five times, each
   * time into the next bits of the masks. So the number of a row's bit is the row's number with its
   * bits reversed.
   */
  private static final int[] ROWS = new int[COEFFICIENTS];

  static {
    for (int place = 0; place < COEFFICIENTS; place++) {
      ROWS[place] = Integer.reverse(place % Integer.SIZE) >>> 26 | place / Integer.SIZE;
    }
  }

  /** The samples of all blocks by columns; after the first step, their frequencies by rows. */
  private final int[] lines = new int[ALL];

  /**
   * The results of a step: element k has frequency k of all lines. After the second step, element k
   * has row k of the coefficients of all blocks.
   */
  private final int[][] work = new int[BLOCK][EIGHT];

  /** The quantized coefficients of all blocks, in the order of {@link #ROWS}. */
  private final int[] ordered = new int[ALL];

  /** The masks of all blocks for places 0 to 31, then those for places 32 to 63. */
  private final int[] masks = new int[ALL / 2];

  private static final class Divisors {
    private final int[] halves = new int[COEFFICIENTS];
    private final int[] reciprocals = new int[COEFFICIENTS];
    private final int[] shifts = new int[COEFFICIENTS];

    /**
     * Prepares exact divisions by a multiplication and a shift. A dividend is eight times a
     * coefficient of 8-bit samples plus half of a divisor, and has 14 bits. The division is exact,
     * because dividend times divisor is less than 2 to the power of the shift.
     */
    Divisors(int[] quantizers) {
      for (int i = 0; i < COEFFICIENTS; i++) {
        int divisor = BLOCK * quantizers[i];
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(divisor - 1);
        shifts[i] = RECIPROCAL_BITS + bits;
        reciprocals[i] = (int) (((1L << shifts[i]) + divisor - 1) / divisor);
        halves[i] = divisor / 2;
      }
    }
  }

  private final Divisors first;
  private final Divisors second;
  private final int firstBlocks;

  /**
   * Creates a transform that uses one table of quantizers for the first {@code firstBlocks} blocks,
   * and the other table for the remaining blocks. Quantizers are in rows of 8, and from 1 to 255.
   */
  ForwardTransform(int firstBlocks, int[] first, int[] second) {
    this.firstBlocks = firstBlocks;
    this.first = new Divisors(first);
    this.second = new Divisors(second);
  }

  /** Sets one sample, minus 128, of {@code count} neighboring blocks. */
  void set(int row, int column, int block, int[] samples, int from, int count) {
    System.arraycopy(samples, from, lines, column * EIGHT + row * BLOCKS + block, count);
  }

  void transform() {
    // Transforms rows; the results are 4 times too large.
    means(lines, work[0], work[4], 2, 0, 0);
    others(1 << 10, 11);
    for (int row = 0; row < BLOCK; row++) {
      for (int column = 0; column < BLOCK; column++) {
        int to = row * EIGHT + column * BLOCKS;
        System.arraycopy(work[column], row * BLOCKS, lines, to, BLOCKS);
      }
    }
    // Transforms columns; the results are 8 times the coefficients.
    means(lines, work[0], work[4], 0, 2, 2);
    others(1 << 14, 15);
    for (int i = 0; i < COEFFICIENTS; i++) {
      int from = i % BLOCK * BLOCKS;
      quantize(work[i / BLOCK], from, from + firstBlocks, i, first);
      quantize(work[i / BLOCK], from + firstBlocks, from + BLOCKS, i, second);
    }
    for (int place = 0; place < COEFFICIENTS; place++) {
      int[] row = work[McuTables.frequency(place) / BLOCK];
      int from = McuTables.frequency(place) % BLOCK * BLOCKS;
      System.arraycopy(row, from, ordered, ROWS[place] * BLOCKS, BLOCKS);
    }
    markPresent(ordered, masks);
  }

  int coefficient(int block, int place) {
    return ordered[ROWS[place] * BLOCKS + block];
  }

  /** Returns a bit for each coefficient, in zigzag order from the lowest: 1 if it is not 0. */
  long present(int block) {
    return (long) masks[BLOCKS + block] << Integer.SIZE | (masks[block] & 0xFFFFFFFFL);
  }

  /** Computes the frequencies but 0 and 4, each by one sum; jfdctint.c computes them in steps. */
  private void others(int rounding, int shift) {
    even(lines, work[2], 10703, 4433, rounding, shift);
    even(lines, work[6], 4433, -10704, rounding, shift);
    odd(lines, work[1], 11363, 9633, 6437, 2260, rounding, shift);
    odd(lines, work[3], 9633, -2259, -11362, -6436, rounding, shift);
    odd(lines, work[5], 6437, -11362, 2261, 9633, rounding, shift);
    odd(lines, work[7], 2260, -6436, 9633, -11363, rounding, shift);
  }

  private static void means(int[] in, int[] sum, int[] difference, int up, int rounding, int down) {
    for (int i = 0; i < EIGHT; i++) {
      int outer = in[i] + in[i + 7 * EIGHT] + in[i + 3 * EIGHT] + in[i + 4 * EIGHT];
      int inner = in[i + EIGHT] + in[i + 6 * EIGHT] + in[i + 2 * EIGHT] + in[i + 5 * EIGHT];
      sum[i] = (((outer + inner) << up) + rounding) >> down;
      difference[i] = (((outer - inner) << up) + rounding) >> down;
    }
  }

  private static void even(int[] in, int[] out, int outer, int inner, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      out[i] =
          ((in[i] + in[i + 7 * EIGHT] - in[i + 3 * EIGHT] - in[i + 4 * EIGHT]) * outer
                  + (in[i + EIGHT] + in[i + 6 * EIGHT] - in[i + 2 * EIGHT] - in[i + 5 * EIGHT])
                      * inner
                  + rounding)
              >> shift;
    }
  }

  private static void odd(
      int[] in, int[] out, int f07, int f16, int f25, int f34, int rounding, int shift) {
    for (int i = 0; i < EIGHT; i++) {
      out[i] =
          ((in[i] - in[i + 7 * EIGHT]) * f07
                  + (in[i + EIGHT] - in[i + 6 * EIGHT]) * f16
                  + (in[i + 2 * EIGHT] - in[i + 5 * EIGHT]) * f25
                  + (in[i + 3 * EIGHT] - in[i + 4 * EIGHT]) * f34
                  + rounding)
              >> shift;
    }
  }

  private static void quantize(int[] values, int from, int to, int i, Divisors by) {
    quantize(values, from, to, by.halves[i], by.reciprocals[i], by.shifts[i]);
  }

  private static void quantize(
      int[] values, int from, int to, int half, int reciprocal, int shift) {
    for (int i = from; i < to; i++) {
      int sign = values[i] >> 31;
      int rounded = (((values[i] ^ sign) - sign + half) * reciprocal) >>> shift;
      values[i] = (rounded ^ sign) - sign;
    }
  }

  private static void markPresent(int[] values, int[] masks) {
    for (int i = 0; i < ALL / 2; i++) {
      masks[i] =
          ((values[i] | (0 - values[i])) >>> 31)
              | ((values[i + ALL / 2] | (0 - values[i + ALL / 2])) >>> 31) << 1;
    }
    for (int i = 0; i < ALL / 4; i++) {
      masks[i] |= masks[i + ALL / 4] << 2;
    }
    for (int i = 0; i < ALL / 8; i++) {
      masks[i] |= masks[i + ALL / 8] << 4;
    }
    for (int i = 0; i < ALL / 16; i++) {
      masks[i] |= masks[i + ALL / 16] << 8;
    }
    for (int i = 0; i < ALL / 32; i++) {
      masks[i] |= masks[i + ALL / 32] << 16;
    }
  }
}
