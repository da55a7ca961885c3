package io.feedline.formats.jpeg.internal;

import static io.feedline.formats.jpeg.internal.Coefficients.BLOCKS;
import static io.feedline.formats.jpeg.internal.VectorPixelKernels.INTS;
import static io.feedline.formats.jpeg.internal.VectorPixelKernels.clip;
import static io.feedline.formats.jpeg.internal.VectorPixelKernels.ints;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;

import java.util.Arrays;
import jdk.incubator.vector.IntVector;

/**
 * The inverse DCT on the JDK's Vector API, with one block in each lane; {@link PlainTransform}
 * explains the arithmetic. Nothing is transposed: input k of a column is 8 k frequencies after
 * input 0, and input k of a row is k frequencies after input 0.
 */
final class VectorTransform {
  private static final int STEP = INTS.length();
  private static final int COLUMN = 8 * BLOCKS;
  private static final int ROW = BLOCKS;

  /** The center of samples, 128, plus one half for rounding, as numbers with 18 fractional bits. */
  private static final int EIGHT_ROUNDING = (128 << 18) + (1 << 17);

  private static final int FOUR_ROUNDING = (128 << 19) + (1 << 18);
  private static final int TWO_ROUNDING = (128 << 20) + (1 << 19);

  /** The number that, added to a value that is small enough, makes it 0 to 2^15 - 1. */
  private static final int OFFSET = 1 << (SixteenBitTransform.SAFE_BITS - 1);

  private final int[] work = new int[64 * BLOCKS];

  /**
   * For each slot, its values plus {@link #OFFSET}, combined by or. A bit above the lowest 15 is
   * set if one of the values is too large.
   */
  private final int[] large = new int[BLOCKS];

  /**
   * Transforms blocks to 8 x 8 samples. Like the smaller transforms, returns false and writes no
   * samples if a value may exceed 16 bits.
   */
  boolean eight(int[] coefficients, int from, int to, int[] left, int[] right) {
    Arrays.fill(large, 0);
    for (int u = 0; u < 8; u++) {
      columnsOfEight(coefficients, work, large, u * BLOCKS, from, to);
    }
    if (areLarge(from, to)) {
      return false;
    }
    for (int y = 0; y < 8; y++) {
      rowsOfEight(work, y * COLUMN + from, left, right, y * BLOCKS + from, to - from);
    }
    return true;
  }

  private static void addLargeOfOne(int[] values, int at, int[] large, int from, int to) {
    for (int slot = from; slot < to; slot += STEP) {
      ints(large, slot).or(ints(values, at + slot).add(OFFSET)).intoArray(large, slot);
    }
  }

  private boolean areLarge(int from, int to) {
    int any = 0;
    for (int i = from; i < to; i++) {
      any |= large[i];
    }
    return any >>> SixteenBitTransform.SAFE_BITS != 0;
  }

  /**
   * Transforms a column of each block, and notes values that are too large. The loop calls only
   * methods of the Vector API: C2 would not inline other methods into a loop of this size, and
   * would allocate the vectors as objects.
   */
  private static void columnsOfEight(
      int[] in, int[] out, int[] large, int column, int from, int to) {
    IntVector offset = IntVector.broadcast(INTS, OFFSET);
    for (int slot = from; slot < to; slot += STEP) {
      int i = column + slot;
      IntVector d0 = ints(in, i);
      IntVector d1 = ints(in, i + COLUMN);
      IntVector d2 = ints(in, i + 2 * COLUMN);
      IntVector d3 = ints(in, i + 3 * COLUMN);
      IntVector d4 = ints(in, i + 4 * COLUMN);
      IntVector d5 = ints(in, i + 5 * COLUMN);
      IntVector d6 = ints(in, i + 6 * COLUMN);
      IntVector d7 = ints(in, i + 7 * COLUMN);

      IntVector sum = d0.add(d4).lanewise(LSHL, 13).add(1 << 10);
      IntVector difference = d0.sub(d4).lanewise(LSHL, 13).add(1 << 10);
      IntVector common = d2.add(d6).mul(4433);
      IntVector low = common.add(d2.mul(6270));
      IntVector high = common.sub(d6.mul(15137));

      IntVector z3 = d7.add(d3);
      IntVector z4 = d5.add(d1);
      IntVector z5 = z3.add(z4).mul(9633);
      IntVector z1 = d7.add(d1).mul(-7373);
      IntVector z2 = d5.add(d3).mul(-20995);
      z3 = z3.mul(-16069).add(z5);
      z4 = z4.mul(-3196).add(z5);
      IntVector o0 = d1.mul(12299).add(z1).add(z4);
      IntVector o1 = d3.mul(25172).add(z2).add(z3);
      IntVector o2 = d5.mul(16819).add(z2).add(z4);
      IntVector o3 = d7.mul(2446).add(z1).add(z3);

      IntVector e0 = sum.add(low);
      IntVector e1 = difference.add(high);
      IntVector e2 = difference.sub(high);
      IntVector e3 = sum.sub(low);
      IntVector any = IntVector.fromArray(INTS, large, slot);
      IntVector w0 = e0.add(o0).lanewise(ASHR, 11);
      w0.intoArray(out, i);
      any = any.or(w0.add(offset));
      IntVector w1 = e1.add(o1).lanewise(ASHR, 11);
      w1.intoArray(out, i + COLUMN);
      any = any.or(w1.add(offset));
      IntVector w2 = e2.add(o2).lanewise(ASHR, 11);
      w2.intoArray(out, i + 2 * COLUMN);
      any = any.or(w2.add(offset));
      IntVector w3 = e3.add(o3).lanewise(ASHR, 11);
      w3.intoArray(out, i + 3 * COLUMN);
      any = any.or(w3.add(offset));
      IntVector w4 = e3.sub(o3).lanewise(ASHR, 11);
      w4.intoArray(out, i + 4 * COLUMN);
      any = any.or(w4.add(offset));
      IntVector w5 = e2.sub(o2).lanewise(ASHR, 11);
      w5.intoArray(out, i + 5 * COLUMN);
      any = any.or(w5.add(offset));
      IntVector w6 = e1.sub(o1).lanewise(ASHR, 11);
      w6.intoArray(out, i + 6 * COLUMN);
      any = any.or(w6.add(offset));
      IntVector w7 = e0.sub(o0).lanewise(ASHR, 11);
      w7.intoArray(out, i + 7 * COLUMN);
      any = any.or(w7.add(offset));
      any.intoArray(large, slot);
    }
  }

  /**
   * Transforms a row of each block like a column, then rounds and shifts, and packs four samples
   * into one word. One loop for all this has half as many loads and stores as two loops.
   */
  private static void rowsOfEight(int[] data, int at, int[] left, int[] right, int to, int n) {
    IntVector least = IntVector.zero(INTS);
    IntVector most = IntVector.broadcast(INTS, 255);
    for (int slot = 0; slot < n; slot += STEP) {
      int i = at + slot;
      IntVector d0 = ints(data, i);
      IntVector d1 = ints(data, i + ROW);
      IntVector d2 = ints(data, i + 2 * ROW);
      IntVector d3 = ints(data, i + 3 * ROW);
      IntVector d4 = ints(data, i + 4 * ROW);
      IntVector d5 = ints(data, i + 5 * ROW);
      IntVector d6 = ints(data, i + 6 * ROW);
      IntVector d7 = ints(data, i + 7 * ROW);

      IntVector sum = d0.add(d4).lanewise(LSHL, 13).add(EIGHT_ROUNDING);
      IntVector difference = d0.sub(d4).lanewise(LSHL, 13).add(EIGHT_ROUNDING);
      IntVector common = d2.add(d6).mul(4433);
      IntVector low = common.add(d2.mul(6270));
      IntVector high = common.sub(d6.mul(15137));

      IntVector z3 = d7.add(d3);
      IntVector z4 = d5.add(d1);
      IntVector z5 = z3.add(z4).mul(9633);
      IntVector z1 = d7.add(d1).mul(-7373);
      IntVector z2 = d5.add(d3).mul(-20995);
      z3 = z3.mul(-16069).add(z5);
      z4 = z4.mul(-3196).add(z5);
      IntVector o0 = d1.mul(12299).add(z1).add(z4);
      IntVector o1 = d3.mul(25172).add(z2).add(z3);
      IntVector o2 = d5.mul(16819).add(z2).add(z4);
      IntVector o3 = d7.mul(2446).add(z1).add(z3);

      IntVector e0 = sum.add(low);
      IntVector e1 = difference.add(high);
      IntVector e2 = difference.sub(high);
      IntVector e3 = sum.sub(low);
      IntVector s0 = e0.add(o0).lanewise(ASHR, 18).max(least).min(most);
      IntVector s1 = e1.add(o1).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 8);
      IntVector s2 = e2.add(o2).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 16);
      IntVector s3 = e3.add(o3).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 24);
      s0.or(s1).or(s2).or(s3).intoArray(left, to + slot);
      IntVector s4 = e3.sub(o3).lanewise(ASHR, 18).max(least).min(most);
      IntVector s5 = e2.sub(o2).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 8);
      IntVector s6 = e1.sub(o1).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 16);
      IntVector s7 = e0.sub(o0).lanewise(ASHR, 18).max(least).min(most).lanewise(LSHL, 24);
      s4.or(s5).or(s6).or(s7).intoArray(right, to + slot);
    }
  }

  boolean four(int[] coefficients, int from, int to, int[] left) {
    for (int u = 0; u < 8; u++) {
      if (u != 4) {
        columnsOfFour(coefficients, work, u * BLOCKS + from, u * BLOCKS + to);
      }
    }
    Arrays.fill(large, 0);
    for (int i = 0; i < 4 * 8; i++) {
      if (i % 8 != 4) {
        addLargeOfOne(work, i * ROW, large, from, to);
      }
    }
    if (areLarge(from, to)) {
      return false;
    }
    for (int y = 0; y < 4; y++) {
      rowsOfFour(work, y * COLUMN + from, left, y * BLOCKS + from, to - from);
    }
    return true;
  }

  private static void columnsOfFour(int[] in, int[] out, int from, int to) {
    for (int i = from; i < to; i += STEP) {
      IntVector d1 = ints(in, i + COLUMN);
      IntVector d3 = ints(in, i + 3 * COLUMN);
      IntVector d5 = ints(in, i + 5 * COLUMN);
      IntVector d7 = ints(in, i + 7 * COLUMN);
      IntVector sum = ints(in, i).lanewise(LSHL, 14).add(1 << 11);
      IntVector rotated = ints(in, i + 2 * COLUMN).mul(15137);
      rotated = rotated.sub(ints(in, i + 6 * COLUMN).mul(6270));
      IntVector o0 = oddOfFour(d1, 20995, d3, 7373, d5, -4926, d7, -4176);
      IntVector o1 = oddOfFour(d1, 8697, d3, -17799, d5, 11893, d7, -1730);
      IntVector e0 = sum.add(rotated);
      IntVector e1 = sum.sub(rotated);
      e0.add(o0).lanewise(ASHR, 12).intoArray(out, i);
      e1.add(o1).lanewise(ASHR, 12).intoArray(out, i + COLUMN);
      e1.sub(o1).lanewise(ASHR, 12).intoArray(out, i + 2 * COLUMN);
      e0.sub(o0).lanewise(ASHR, 12).intoArray(out, i + 3 * COLUMN);
    }
  }

  private static void rowsOfFour(int[] data, int at, int[] words, int to, int n) {
    for (int i = 0; i < n; i += STEP) {
      int from = at + i;
      IntVector d1 = ints(data, from + ROW);
      IntVector d3 = ints(data, from + 3 * ROW);
      IntVector d5 = ints(data, from + 5 * ROW);
      IntVector d7 = ints(data, from + 7 * ROW);
      IntVector sum = ints(data, from).lanewise(LSHL, 14).add(FOUR_ROUNDING);
      IntVector rotated = ints(data, from + 2 * ROW).mul(15137);
      rotated = rotated.sub(ints(data, from + 6 * ROW).mul(6270));
      IntVector o0 = oddOfFour(d1, 20995, d3, 7373, d5, -4926, d7, -4176);
      IntVector o1 = oddOfFour(d1, 8697, d3, -17799, d5, 11893, d7, -1730);
      IntVector e0 = sum.add(rotated);
      IntVector e1 = sum.sub(rotated);
      IntVector s0 = clip(e0.add(o0).lanewise(ASHR, 19));
      IntVector s1 = clip(e1.add(o1).lanewise(ASHR, 19)).lanewise(LSHL, 8);
      IntVector s2 = clip(e1.sub(o1).lanewise(ASHR, 19)).lanewise(LSHL, 16);
      IntVector s3 = clip(e0.sub(o0).lanewise(ASHR, 19)).lanewise(LSHL, 24);
      s0.or(s1).or(s2).or(s3).intoArray(words, to + i);
    }
  }

  private static IntVector oddOfFour(
      IntVector a, int m, IntVector b, int n, IntVector c, int o, IntVector d, int p) {
    return a.mul(m).add(b.mul(n)).add(c.mul(o)).add(d.mul(p));
  }

  boolean two(int[] coefficients, int from, int to, int[] left) {
    columnsOfTwo(coefficients, work, from, to);
    for (int u = 1; u < 8; u += 2) {
      columnsOfTwo(coefficients, work, u * BLOCKS + from, u * BLOCKS + to);
    }
    Arrays.fill(large, 0);
    for (int i = 0; i < 2 * 8; i++) {
      if (i % 8 == 0 || i % 2 == 1) {
        addLargeOfOne(work, i * ROW, large, from, to);
      }
    }
    if (areLarge(from, to)) {
      return false;
    }
    for (int y = 0; y < 2; y++) {
      rowsOfTwo(work, y * COLUMN + from, left, y * BLOCKS + from, to - from);
    }
    return true;
  }

  private static void columnsOfTwo(int[] in, int[] out, int from, int to) {
    for (int i = from; i < to; i += STEP) {
      IntVector even = ints(in, i).lanewise(LSHL, 15).add(1 << 12);
      IntVector odd = oddOfTwo(in, i, COLUMN);
      even.add(odd).lanewise(ASHR, 13).intoArray(out, i);
      even.sub(odd).lanewise(ASHR, 13).intoArray(out, i + COLUMN);
    }
  }

  private static void rowsOfTwo(int[] data, int at, int[] words, int to, int n) {
    for (int i = 0; i < n; i += STEP) {
      IntVector even = ints(data, at + i).lanewise(LSHL, 15).add(TWO_ROUNDING);
      IntVector odd = oddOfTwo(data, at + i, ROW);
      IntVector first = clip(even.add(odd).lanewise(ASHR, 20));
      IntVector second = clip(even.sub(odd).lanewise(ASHR, 20));
      first.or(second.lanewise(LSHL, 8)).intoArray(words, to + i);
    }
  }

  private static IntVector oddOfTwo(int[] in, int i, int distance) {
    return product(in, i + distance, 29692)
        .add(product(in, i + 3 * distance, -10426))
        .add(largeOddOfTwo(in, i, distance));
  }

  private static IntVector largeOddOfTwo(int[] in, int i, int distance) {
    return product(in, i + 5 * distance, 6967).add(product(in, i + 7 * distance, -5906));
  }

  private static IntVector product(int[] in, int i, int factor) {
    return ints(in, i).mul(factor);
  }

  static boolean one(int[] coefficients, int from, int to, int[] left) {
    for (int i = from; i < to; i += STEP) {
      IntVector sample = ints(coefficients, i).add(4).lanewise(LSHL, 19).lanewise(ASHR, 22);
      clip(sample.add(128)).intoArray(left, i);
    }
    return true;
  }
}
