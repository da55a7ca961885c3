package io.feedline.formats.jpeg.internal;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link PixelKernels} on the JDK's Vector API.
 *
 * <p>Loops are small on purpose: C2 keeps vectors in registers only within one compiled method. If
 * the method grows too large, C2 allocates the vectors as objects, and the loop takes three times
 * as long. {@link #blendedColor} is about as large as a loop can be. It would be too large if its
 * operands were scalars, not vectors. Helpers have at most 35 bytes of code, which C2 inlines after
 * any number of calls.
 */
public final class VectorPixelKernels extends PixelKernels {
  /** The vectors of this machine's preferred width, of at most {@link PixelKernels#SLACK} ints. */
  public static final VectorSpecies<Integer> INTS =
      IntVector.SPECIES_PREFERRED.length() <= SLACK
          ? IntVector.SPECIES_PREFERRED
          : IntVector.SPECIES_512;

  private static final int STEP = INTS.length();

  /** True if this machine can run {@link RowKernels}, which need vectors of {@link #STEP} bytes. */
  private static final boolean ROWS =
      STEP >= 8 && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  // Constants are vectors, because C2 would broadcast a scalar again at each use.
  private static final IntVector BYTE = IntVector.broadcast(INTS, 255);
  private static final IntVector ZERO = IntVector.zero(INTS);
  private static final IntVector THREE = IntVector.broadcast(INTS, 3);
  private static final IntVector V_RED = IntVector.broadcast(INTS, CR_TO_RED);
  private static final IntVector U_GREEN = IntVector.broadcast(INTS, CB_TO_GREEN);
  private static final IntVector V_GREEN = IntVector.broadcast(INTS, CR_TO_GREEN);
  private static final IntVector U_BLUE = IntVector.broadcast(INTS, CB_TO_BLUE);
  private static final IntVector RED = IntVector.broadcast(INTS, RED_BIAS);
  private static final IntVector GREEN = IntVector.broadcast(INTS, GREEN_BIAS);
  private static final IntVector BLUE = IntVector.broadcast(INTS, BLUE_BIAS);

  private final VectorTransform transform = new VectorTransform();

  VectorPixelKernels() {
    int[] run = new int[64 * Coefficients.BLOCKS + SLACK];
    for (int size = 1; size <= 8; size *= 2) {
      transform(size, run, 0, 1, run, run);
    }
    unpack(run, 0, run, 1);
    blendPacked(run, run, 0, 0, 0, run, 1);
    blend(run, run, 0, 0, run, 1);
    color(run, 0, run, run, 0, run, 1);
    blendedColor(run, 0, run, run, run, run, 0, 0, run, 1);
  }

  @Override
  boolean transform(int size, int[] coefficients, int from, int to, int[] left, int[] right) {
    // Slots before from and after to are transformed too, up to whole vectors.
    int start = from / STEP * STEP;
    int end = Math.min(Coefficients.BLOCKS, (to + STEP - 1) / STEP * STEP);
    return switch (size) {
      case 8 -> transform.eight(coefficients, start, end, left, right);
      case 4 -> transform.four(coefficients, start, end, left);
      case 2 -> transform.two(coefficients, start, end, left);
      default -> VectorTransform.one(coefficients, start, end, left);
    };
  }

  @Override
  boolean keepsCoefficients() {
    return true;
  }

  @Override
  RowKernels rows() {
    return ROWS ? new VectorRowKernels() : null;
  }

  @Override
  void unpack(int[] words, int shift, int[] samples, int n) {
    for (int i = 0; i < n; i += STEP) {
      bytes(words, i, shift).intoArray(samples, i);
    }
  }

  @Override
  void blendPacked(
      int[] near, int[] far, int wordShift, int rounding, int shift, int[] blended, int n) {
    IntVector half = IntVector.broadcast(INTS, rounding);
    for (int i = 0; i < n; i += STEP) {
      bytes(near, i, wordShift)
          .mul(THREE)
          .add(bytes(far, i, wordShift))
          .add(half)
          .lanewise(LSHR, shift)
          .intoArray(blended, i);
    }
  }

  @Override
  void blend(int[] near, int[] far, int rounding, int shift, int[] blended, int n) {
    IntVector half = IntVector.broadcast(INTS, rounding);
    for (int i = 0; i < n; i += STEP) {
      blended(near, far, i, half, shift).intoArray(blended, i);
    }
  }

  private static IntVector blended(int[] near, int[] far, int i, IntVector rounding, int shift) {
    return ints(near, i).mul(THREE).add(ints(far, i)).add(rounding).lanewise(LSHR, shift);
  }

  @Override
  void color(int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n) {
    for (int i = 0; i < n; i += STEP) {
      pixel(bytes(luma, i, lumaShift), bytes(cb, i, chromaShift), bytes(cr, i, chromaShift))
          .intoArray(pixels, i);
    }
  }

  @Override
  void blendedColor(
      int[] luma,
      int lumaShift,
      int[] cbNear,
      int[] cbFar,
      int[] crNear,
      int[] crFar,
      int rounding,
      int shift,
      int[] pixels,
      int n) {
    IntVector half = IntVector.broadcast(INTS, rounding);
    for (int i = 0; i < n; i += STEP) {
      IntVector u = blended(cbNear, cbFar, i, half, shift);
      IntVector v = blended(crNear, crFar, i, half, shift);
      pixel(bytes(luma, i, lumaShift), u, v).intoArray(pixels, i);
    }
  }

  private static IntVector pixel(IntVector y, IntVector u, IntVector v) {
    return red(y, v).or(up(green(y, u, v), 8)).or(up(blue(y, u), 16));
  }

  private static IntVector red(IntVector y, IntVector v) {
    return sample(y, v.mul(V_RED).add(RED));
  }

  private static IntVector green(IntVector y, IntVector u, IntVector v) {
    return sample(y, u.mul(U_GREEN).add(v.mul(V_GREEN)).add(GREEN));
  }

  private static IntVector blue(IntVector y, IntVector u) {
    return sample(y, u.mul(U_BLUE).add(BLUE));
  }

  private static IntVector sample(IntVector y, IntVector difference) {
    return clip(y.add(difference.lanewise(ASHR, 16)));
  }

  private static IntVector up(IntVector samples, int bits) {
    return samples.lanewise(LSHL, bits);
  }

  static IntVector ints(int[] array, int i) {
    return IntVector.fromArray(INTS, array, i);
  }

  private static IntVector bytes(int[] words, int i, int shift) {
    return ints(words, i).lanewise(LSHR, shift).and(BYTE);
  }

  static IntVector clip(IntVector value) {
    return value.max(ZERO).min(BYTE);
  }
}
