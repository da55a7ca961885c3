package io.feedline.formats.jpeg;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The kernels on the JDK's Vector API.
 *
 * <p>Methods are small on purpose: C2 keeps vectors in registers only within what it compiles at
 * once, and boxes them, at ten times the cost, where a method grows too large. Runs are rounded up
 * to whole vectors, which {@link PixelKernels#SLACK} allows.
 */
final class VectorKernels extends PixelKernels {
  /** As wide as this machine likes, but within {@link PixelKernels#SLACK}. */
  static final VectorSpecies<Integer> INTS =
      IntVector.SPECIES_PREFERRED.length() <= SLACK
          ? IntVector.SPECIES_PREFERRED
          : IntVector.SPECIES_512;

  private static final int STEP = INTS.length();

  private final VectorTransform transform = new VectorTransform();

  VectorKernels() {
    int[] run = new int[64 * Coefficients.BLOCKS + SLACK];
    for (int size = 1; size <= 8; size *= 2) {
      transform(size, run, 0, 1, run, run);
    }
    unpack(run, 0, run, 1);
    blendPacked(run, run, 0, 0, 0, run, 1);
    blend(run, run, 0, 0, run, 1);
    colour(run, 0, run, run, 0, run, 1);
  }

  @Override
  void transform(int size, int[] coefficients, int from, int to, int[] left, int[] right) {
    // Slots in front of the first and behind the last are transformed too, up to whole vectors.
    int start = from / STEP * STEP;
    int end = Math.min(Coefficients.BLOCKS, (to + STEP - 1) / STEP * STEP);
    switch (size) {
      case 8 -> transform.eight(coefficients, start, end, left, right);
      case 4 -> transform.four(coefficients, start, end, left);
      case 2 -> transform.two(coefficients, start, end, left);
      default -> VectorTransform.one(coefficients, start, end, left);
    }
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
    for (int i = 0; i < n; i += STEP) {
      bytes(near, i, wordShift)
          .mul(3)
          .add(bytes(far, i, wordShift))
          .add(rounding)
          .lanewise(LSHR, shift)
          .intoArray(blended, i);
    }
  }

  @Override
  void blend(int[] near, int[] far, int rounding, int shift, int[] blended, int n) {
    for (int i = 0; i < n; i += STEP) {
      ints(near, i)
          .mul(3)
          .add(ints(far, i))
          .add(rounding)
          .lanewise(LSHR, shift)
          .intoArray(blended, i);
    }
  }

  @Override
  void colour(int[] luma, int lumaShift, int[] cb, int[] cr, int chromaShift, int[] pixels, int n) {
    for (int i = 0; i < n; i += STEP) {
      pixel(bytes(luma, i, lumaShift), bytes(cb, i, chromaShift), bytes(cr, i, chromaShift))
          .intoArray(pixels, i);
    }
  }

  private static IntVector pixel(IntVector y, IntVector u, IntVector v) {
    IntVector red = y.add(v.mul(CR_TO_RED).add(RED_BIAS).lanewise(ASHR, 16));
    IntVector green =
        y.add(u.mul(CB_TO_GREEN).add(v.mul(CR_TO_GREEN)).add(GREEN_BIAS).lanewise(ASHR, 16));
    IntVector blue = y.add(u.mul(CB_TO_BLUE).add(BLUE_BIAS).lanewise(ASHR, 16));
    return clip(red).or(clip(green).lanewise(LSHL, 8)).or(clip(blue).lanewise(LSHL, 16));
  }

  static IntVector ints(int[] array, int i) {
    return IntVector.fromArray(INTS, array, i);
  }

  private static IntVector bytes(int[] words, int i, int shift) {
    return ints(words, i).lanewise(LSHR, shift).and(255);
  }

  static IntVector clip(IntVector value) {
    return value.max(0).min(255);
  }
}
