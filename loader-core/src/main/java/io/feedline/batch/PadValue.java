package io.feedline.batch;

import io.feedline.internal.HalfFloat;
import java.nio.ByteBuffer;

/** The value of padding, as the bits of one element. */
final class PadValue {
  private PadValue() {}

  /**
   * Returns the bits of a value; throws {@link IllegalArgumentException} if the dtype cannot hold
   * the value.
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
      case FLOAT32 -> {
        float rounded = (float) value;
        boolean lost = Float.isInfinite(rounded) || rounded == 0;
        if (lost && rounded != value) {
          throw cannotHold(entry, dtype, value);
        }
        yield Float.floatToRawIntBits(rounded);
      }
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      case BFLOAT16 -> {
        short bits = HalfFloat.toBfloat((float) value);
        yield exactly(entry, dtype, value, bits, HalfFloat.ofBfloat(bits));
      }
      case FLOAT16 -> {
        short bits = HalfFloat.ofFloat((float) value);
        yield exactly(entry, dtype, value, bits, HalfFloat.toFloat(bits));
      }
    };
  }

  private static long whole(
      String entry, DType dtype, double value, double smallest, double largest) {
    if (value != Math.rint(value) || value < smallest || value > largest) {
      throw cannotHold(entry, dtype, value);
    }
    return (long) value;
  }

  private static long exactly(String entry, DType dtype, double value, short bits, float rounded) {
    if (!Double.isNaN(value) && rounded != value) {
      throw cannotHold(entry, dtype, value);
    }
    return Short.toUnsignedLong(bits);
  }

  private static IllegalArgumentException cannotHold(String entry, DType dtype, double value) {
    return new IllegalArgumentException(
        "entry '%s' is %s, which cannot be padded with exactly %s".formatted(entry, dtype, value));
  }

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
