package io.feedline.bench.nvml;

import com.sun.jna.Native;

/**
 * An {@code nvmlValue_t}: a union of number types in eight bytes; a shorter type uses the first
 * bytes. Little-endian, as on every machine for which NVIDIA makes drivers.
 */
final class NvmlValue {
  private NvmlValue() {}

  /**
   * Returns the number in a union.
   *
   * @param type a number of {@code nvmlValueType_t}
   * @param union the eight bytes of the union
   * @throws IllegalArgumentException if the type is unknown
   */
  static double of(int type, long union) {
    return switch (type) {
      case 0 -> Double.longBitsToDouble(union);
      case 1 -> union & 0xFFFF_FFFFL; // unsigned int
      case 2 -> Native.LONG_SIZE == Integer.BYTES ? union & 0xFFFF_FFFFL : union; // unsigned long
      case 3, 4 -> union; // unsigned and signed long long
      case 5 -> (int) union;
      case 6 -> union & 0xFFFFL; // unsigned short
      default ->
          throw new IllegalArgumentException(
              "a sample of NVML has the value type %d, which is not known".formatted(type));
    };
  }
}
