package io.feedline.internal;

/** IEEE 754 half precision, which Java has from version 20 on. */
public final class HalfFloat {

  private static final int MANTISSA_BITS = 10;
  private static final int EXPONENT_MASK = 0x1F;

  private HalfFloat() {}

  /** Returns the same number in single precision, exactly. */
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

  /** Returns the nearest half; halfway between two, the one whose last bit is 0, as in NumPy. */
  public static short ofFloat(float value) {
    int bits = Float.floatToIntBits(value);
    int sign = (bits >>> 16) & 0x8000;
    float magnitude = Math.abs(value);
    if (Float.isNaN(value)) {
      return (short) (sign | 0x7E00);
    }
    if (magnitude >= 65520) {
      return (short) (sign | 0x7C00);
    }
    // Smaller numbers than 2^-14 have the spacing 2^-24; larger ones 2^-10 of their power of two.
    int exponent = Math.max(Math.getExponent(magnitude), -14);
    int steps = (int) Math.rint(Math.scalb((double) magnitude, MANTISSA_BITS - exponent));
    // A carry of the mantissa goes into the exponent, as it should.
    int half = ((exponent + 14) << MANTISSA_BITS) + steps;
    return (short) (sign | half);
  }
}
