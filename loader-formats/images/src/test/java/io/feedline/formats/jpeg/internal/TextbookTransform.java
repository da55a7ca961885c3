package io.feedline.formats.jpeg.internal;

/**
 * The inverse DCT of one block, step by step as libjpeg's {@code jidctint.c} and {@code jidctred.c}
 * write it down (the algorithm of Loeffler, Ligtenberg and Moschytz; ITU-T T.81, A.3.3), and as
 * libjpeg-turbo's vector code computes it: the sums that it makes with 16 bits wrap around, what
 * lies between the two passes is clipped to 16 bits, and where no column has more than its first
 * value, the first pass is one shift of 16 bits.
 */
final class TextbookTransform {
  private TextbookTransform() {}

  /**
   * The samples of a block, row by row.
   *
   * @param coefficients 64 dequantized values in natural order
   * @param size of the block in either direction: 8, 4, 2 or 1
   */
  static int[] samples(int[] coefficients, int size) {
    if (size == 1) {
      // No vector code: a table of 1024 entries limits the range.
      int index = ((coefficients[0] + 4) >> 3) & 1023;
      return new int[] {clip((index < 512 ? index : index - 1024) + 128)};
    }
    boolean flat = size > 2;
    for (int f = 8; f < 64; f++) {
      flat &= coefficients[f] == 0 || (size == 4 && f / 8 == 4);
    }
    int[][] columns = new int[8][];
    for (int u = 0; u < 8; u++) {
      int[] line = new int[8];
      for (int v = 0; v < 8; v++) {
        line[v] = coefficients[8 * v + u];
      }
      columns[u] = line(line, size, 2);
      for (int y = 0; y < size; y++) {
        columns[u][y] =
            flat
                ? (short) (line[0] << 2)
                : Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, columns[u][y]));
      }
    }
    int[] samples = new int[size * size];
    for (int y = 0; y < size; y++) {
      int[] line = new int[8];
      for (int u = 0; u < 8; u++) {
        line[u] = columns[u][y];
      }
      int[] row = line(line, size, -5);
      for (int x = 0; x < size; x++) {
        samples[y * size + x] = clip(row[x] + 128);
      }
    }
    return samples;
  }

  /** One line of any size; the result has {@code bits} more fractional bits than the input. */
  private static int[] line(int[] in, int size, int bits) {
    return switch (size) {
      case 8 -> eight(in, 13 - bits);
      case 4 -> four(in, 14 - bits);
      default -> two(in, 15 - bits);
    };
  }

  private static int[] eight(int[] in, int shift) {
    int common = (in[2] + in[6]) * fix(0.541196100);
    int low = common + in[2] * fix(0.765366865);
    int high = common - in[6] * fix(1.847759065);
    int sum = (short) (in[0] + in[4]) << 13;
    int difference = (short) (in[0] - in[4]) << 13;
    int[] even = {sum + low, difference + high, difference - high, sum - low};

    int z1 = in[7] + in[1];
    int z2 = in[5] + in[3];
    int z3 = (short) (in[7] + in[3]);
    int z4 = (short) (in[5] + in[1]);
    int z5 = (z3 + z4) * fix(1.175875602);
    z1 *= -fix(0.899976223);
    z2 *= -fix(2.562915447);
    z3 = z5 - z3 * fix(1.961570560);
    z4 = z5 - z4 * fix(0.390180644);
    int[] odd = {
      in[1] * fix(1.501321110) + z1 + z4,
      in[3] * fix(3.072711026) + z2 + z3,
      in[5] * fix(2.053119869) + z2 + z4,
      in[7] * fix(0.298631336) + z1 + z3
    };
    return butterfly(even, odd, shift);
  }

  private static int[] four(int[] in, int shift) {
    int sum = in[0] << 14;
    int rotated = in[2] * fix(1.847759065) - in[6] * fix(0.765366865);
    int[] even = {sum + rotated, sum - rotated};
    int[] odd = {
      -in[7] * fix(0.509795579)
          - in[5] * fix(0.601344887)
          + in[3] * fix(0.899976223)
          + in[1] * fix(2.562915447),
      -in[7] * fix(0.211164243)
          + in[5] * fix(1.451774981)
          - in[3] * fix(2.172734803)
          + in[1] * fix(1.061594337)
    };
    return butterfly(even, odd, shift);
  }

  private static int[] two(int[] in, int shift) {
    int odd =
        -in[7] * fix(0.720959822)
            + in[5] * fix(0.850430095)
            - in[3] * fix(1.272758580)
            + in[1] * fix(3.624509785);
    return butterfly(new int[] {in[0] << 15}, new int[] {odd}, shift);
  }

  private static int[] butterfly(int[] even, int[] odd, int shift) {
    int half = even.length;
    int[] out = new int[2 * half];
    int rounding = 1 << (shift - 1);
    for (int k = 0; k < half; k++) {
      out[k] = (even[k] + odd[k] + rounding) >> shift;
      out[2 * half - 1 - k] = (even[k] - odd[k] + rounding) >> shift;
    }
    return out;
  }

  private static int fix(double factor) {
    return (int) Math.round(factor * (1 << 13));
  }

  private static int clip(int value) {
    return Math.max(0, Math.min(255, value));
  }
}
