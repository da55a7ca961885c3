package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;

/**
 * The inverse DCT of single blocks as libjpeg-turbo's vector code computes it if 16 bits are not
 * enough: some sums wrap around, others are clipped. Only damaged data exceed 16 bits. {@link
 * PixelKernels#transform}, which is many times faster, returns false if data may exceed them.
 *
 * <p>Source: {@code jidctint-avx2.asm}, {@code jidctint-sse2.asm} and {@code jidctred-sse2.asm} of
 * libjpeg-turbo 2.1.5. The products of coefficients and quantizers also wrap around at 16 bits, in
 * {@link EntropyDecoder} and {@link RowPairDecoder}.
 *
 * <p><b>Known limitation.</b> To find blocks without vertical frequencies, the vector code tests
 * coefficients, but this class tests their products with the quantizers. So samples may differ if
 * one quantizer is 0 and the product of another is above 8191.
 */
final class SixteenBitTransform {

  /**
   * The largest number of bits, with the sign, that values between the two passes may have, so that
   * all other values fit into 16 bits. The second pass adds two values, and the inputs of the first
   * pass are at most a quarter of its outputs.
   */
  static final int SAFE_BITS = 15;

  private SixteenBitTransform() {}

  static void transform(int size, int[] coefficients, int from, int to, int[] left, int[] right) {
    int[] block = new int[64];
    int[] in = new int[8];
    int[] out = new int[8];
    for (int slot = from; slot < to; slot++) {
      for (int f = 0; f < 64; f++) {
        block[f] = coefficients[f * BLOCKS + slot];
      }
      columns(block, size, in, out);
      for (int y = 0; y < size; y++) {
        System.arraycopy(block, 8 * y, in, 0, 8);
        line(size, in, out);
        left[y * BLOCKS + slot] = pack(size, out, 0);
        if (size == 8) {
          right[y * BLOCKS + slot] = pack(size, out, 4);
        }
      }
    }
  }

  /** Computes the first pass in place; the results keep 2 fractional bits. */
  private static void columns(int[] block, int size, int[] in, int[] out) {
    boolean flat = isFlat(block, size);
    int shift = fractionalBits(size) - 2;
    for (int u = 0; u < 8; u++) {
      for (int v = 0; v < 8; v++) {
        in[v] = block[8 * v + u];
      }
      line(size, in, out);
      for (int y = 0; y < size; y++) {
        block[8 * y + u] =
            flat ? (short) (in[0] << 2) : clip16((out[y] + (1 << (shift - 1))) >> shift);
      }
    }
  }

  /** Returns whether all inputs of a transform to this size are 0, except each column's first. */
  private static boolean isFlat(int[] block, int size) {
    if (size == 2) {
      return false;
    }
    for (int f = 8; f < 64; f++) {
      if (block[f] != 0 && (size == 8 || f >> 3 != 4)) {
        return false;
      }
    }
    return true;
  }

  private static int pack(int size, int[] out, int first) {
    int shift = fractionalBits(size) + 5;
    int words = 0;
    for (int x = 0; x < Math.min(4, size); x++) {
      int sample = clip16((out[first + x] + (1 << (shift - 1))) >> shift);
      words |= PlainPixelKernels.clip(sample + 128) << (8 * x);
    }
    return words;
  }

  /** Returns a line's fractional bits: 13 of the multipliers, 1 for each halving of the size. */
  private static int fractionalBits(int size) {
    return switch (size) {
      case 8 -> 13;
      case 4 -> 14;
      default -> 15;
    };
  }

  private static int clip16(int value) {
    return Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, value));
  }

  private static void line(int size, int[] in, int[] out) {
    switch (size) {
      case 8 -> eight(in, out);
      case 4 -> four(in, out);
      default -> two(in, out);
    }
  }

  private static void eight(int[] in, int[] out) {
    int sum = (short) (in[0] + in[4]) << 13;
    int difference = (short) (in[0] - in[4]) << 13;
    int low = in[2] * 10703 + in[6] * 4433;
    int high = in[2] * 4433 - in[6] * 10704;
    int z3 = (short) (in[7] + in[3]);
    int z4 = (short) (in[5] + in[1]);
    int a = z4 * 9633 - z3 * 6436;
    int b = z4 * 6437 + z3 * 9633;
    butterfly(sum + low, in[1] * 4926 - in[7] * 7373 + b, 0, 8, out);
    butterfly(difference + high, in[3] * 4177 - in[5] * 20995 + a, 1, 8, out);
    butterfly(difference - high, -in[5] * 4176 - in[3] * 20995 + b, 2, 8, out);
    butterfly(sum - low, -in[7] * 4927 - in[1] * 7373 + a, 3, 8, out);
  }

  private static void four(int[] in, int[] out) {
    int sum = in[0] << 14;
    int rotated = in[2] * 15137 - in[6] * 6270;
    butterfly(sum + rotated, in[1] * 20995 + in[3] * 7373 - in[5] * 4926 - in[7] * 4176, 0, 4, out);
    butterfly(
        sum - rotated, in[1] * 8697 - in[3] * 17799 + in[5] * 11893 - in[7] * 1730, 1, 4, out);
  }

  private static void two(int[] in, int[] out) {
    butterfly(in[0] << 15, in[1] * 29692 - in[3] * 10426 + in[5] * 6967 - in[7] * 5906, 0, 2, out);
  }

  private static void butterfly(int even, int odd, int first, int size, int[] out) {
    out[first] = even + odd;
    out[size - 1 - first] = even - odd;
  }
}
