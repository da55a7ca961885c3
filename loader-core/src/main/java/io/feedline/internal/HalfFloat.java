package io.feedline.internal;

/** Conversions of half precision, which Java 17 lacks, and bfloat16, as in NumPy and PyTorch. */
public final class HalfFloat {

  private static final int MANTISSA_BITS = 10;
  private static final int EXPONENT_MASK = 0x1F;

  /** The number of bits by which a float's mantissa is longer than a half's. */
  private static final int DROPPED_BITS = 13;

  /** The bits of 2^-14, the smallest half of full precision, as a float. */
  private static final int SMALLEST_NORMAL = 0x38800000;

  /** The bits of 65520, the smallest float that becomes infinite. */
  private static final int SMALLEST_OVERFLOW = 0x477FF000;

  /** A float's exponent bias minus a half's, shifted to the place of a float's exponent. */
  private static final int BIAS = 112 << 23;

  private static final int INFINITY = 0x7F800000;

  private HalfFloat() {}

  public static float toFloat(short half) {
    float sign = half < 0 ? -1 : 1;
    int exponent = (half >> MANTISSA_BITS) & EXPONENT_MASK;
    int mantissa = half & ((1 << MANTISSA_BITS) - 1);
    if (exponent == EXPONENT_MASK) {
      return mantissa == 0 ? sign * Float.POSITIVE_INFINITY : Float.NaN;
    }
    return exponent == 0
        ? sign * Math.scalb((float) mantissa, -24)
        : sign * Math.scalb((float) (mantissa | (1 << MANTISSA_BITS)), exponent - 25);
  }

  /** Returns the nearest half, ties to even; infinity from 65520 on. */
  public static short ofFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 16) & 0x8000;
    int magnitude = bits & Integer.MAX_VALUE;
    if (magnitude < SMALLEST_NORMAL) {
      // Floats from 0.5 to 1 have the spacing of subnormal halves, so the addition rounds.
      float rounded = Float.intBitsToFloat(magnitude) + 0.5f;
      return (short) (sign | (Float.floatToRawIntBits(rounded) - Float.floatToRawIntBits(0.5f)));
    }
    if (magnitude < SMALLEST_OVERFLOW) {
      return (short) (sign | (roundedTo(DROPPED_BITS, magnitude - BIAS) >>> DROPPED_BITS));
    }
    return (short) (sign | (magnitude > INFINITY ? 0x7E00 : 0x7C00));
  }

  public static float ofBfloat(short bfloat) {
    return Float.intBitsToFloat(bfloat << 16);
  }

  /** Returns the nearest bfloat16, ties to even. */
  public static short toBfloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    return (short) (Float.isNaN(value) ? 0x7FC0 : roundedTo(16, bits) >>> 16);
  }

  /** Rounds bits to nearest, ties to even; the caller drops the {@code dropped} lowest bits. */
  private static int roundedTo(int dropped, int bits) {
    return bits + (1 << (dropped - 1)) - 1 + ((bits >>> dropped) & 1);
  }
}
