package io.feedline.batch;

import java.nio.ByteBuffer;

/** The value that fills what is padded, as the bits of one element. */
final class PadValue {
  private PadValue() {}

  /**
   * Returns a number as an element of a dtype.
   *
   * @throws IllegalArgumentException if the dtype cannot hold it
   */
  static long bits(String entry, DType dtype, double value) {
    return switch (dtype) {
      case UINT8 -> whole(entry, dtype, value, 0, 255);
      case INT8 -> whole(entry, dtype, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UINT16 -> whole(entry, dtype, value, 0, 65535);
      case INT16 -> whole(entry, dtype, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32 -> whole(entry, dtype, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> whole(entry, dtype, value, Long.MIN_VALUE, Math.nextDown(0x1p63));
      case BOOL -> whole(entry, dtype, value, 0, 1);
      case FLOAT32 -> Float.floatToRawIntBits((float) value);
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      // The upper half of a float; the values that are padded with have nothing in the lower one.
      case BFLOAT16 -> exactly(entry, dtype, value, Float.floatToRawIntBits((float) value) >>> 16);
      case FLOAT16 -> half(entry, dtype, value);
    };
  }

  private static long whole(
      String entry, DType dtype, double value, double smallest, double largest) {
    if (value != Math.rint(value) || value < smallest || value > largest) {
      throw cannotHold(entry, dtype, value);
    }
    return (long) value;
  }

  private static long exactly(String entry, DType dtype, double value, int bits) {
    if (!Double.isNaN(value) && Float.intBitsToFloat(bits << 16) != value) {
      throw cannotHold(entry, dtype, value);
    }
    return bits;
  }

  /** Normal halves without rounding, zero and infinities; Java converts halves from 20 on. */
  private static long half(String entry, DType dtype, double value) {
    int sign = Double.doubleToRawLongBits(value) < 0 ? 0x8000 : 0;
    double magnitude = Math.abs(value);
    if (magnitude == 0) {
      return sign;
    }
    if (Double.isInfinite(magnitude)) {
      return sign | 0x7C00;
    }
    if (Double.isNaN(magnitude)) {
      return 0x7E00;
    }
    int exponent = Math.getExponent(magnitude);
    double fraction = Math.scalb(magnitude, 10 - exponent) - 1024;
    if (exponent < -14 || exponent > 15 || fraction != Math.rint(fraction)) {
      throw cannotHold(entry, dtype, value);
    }
    return sign | (exponent + 15) << 10 | (int) fraction;
  }

  private static IllegalArgumentException cannotHold(String entry, DType dtype, double value) {
    return new IllegalArgumentException(
        "entry '%s' is %s, which cannot be padded with exactly %s".formatted(entry, dtype, value));
  }

  /** Fills all of a buffer with elements. */
  static void fill(ByteBuffer target, int elementBytes, long bits) {
    for (int i = 0; i < target.capacity(); i += elementBytes) {
      switch (elementBytes) {
        case 1 -> target.put(i, (byte) bits);
        case 2 -> target.putShort(i, (short) bits);
        case 4 -> target.putInt(i, (int) bits);
        default -> target.putLong(i, bits);
      }
    }
  }
}
