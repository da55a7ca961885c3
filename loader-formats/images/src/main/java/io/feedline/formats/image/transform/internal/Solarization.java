package io.feedline.formats.image.transform.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The inversion of bright samples, eight at a time: the arithmetic of one long compares eight bytes
 * ("Hacker's Delight", Warren, chapter 2).
 */
final class Solarization {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGH = ONES << 7;

  private Solarization() {}

  /** Inverts the samples of at least {@code first}, 0 to 256. */
  static void invertFrom(int first, byte[] samples, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      long eight = (long) LONG.get(samples, i);
      LONG.set(samples, i, eight ^ atLeast(first, eight));
    }
    for (; i < length; i++) {
      int value = samples[i] & 0xFF;
      samples[i] = (byte) (value < first ? value : 255 - value);
    }
  }

  /** Returns eight bytes: 255 for each sample that is at least {@code first}, and 0 otherwise. */
  private static long atLeast(int first, long eight) {
    // Without the highest bits, the sum of two bytes does not carry into the next byte.
    long sums = (eight & ~HIGH) + (0x80 - (first & 0x7F)) * ONES;
    long reached = first < 0x80 ? (sums | eight) & HIGH : sums & eight & HIGH;
    long highest = first == 0x100 ? 0 : reached;
    return (highest >>> 7) * 0xFF;
  }
}
