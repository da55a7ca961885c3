package io.feedline.bench;

/**
 * A generator of numbers that look random. {@code peers/train_step.py} has the same function, so
 * that both programs begin with the same weights; after the same steps their losses must be the
 * same.
 *
 * <p>The mixing function is the 32-bit function of Chris Wellons' "Prospecting for Hash Functions".
 * All its intermediate results fit into signed 64-bit integers, the widest that PyTorch has.
 */
final class HashedNumbers {
  private static final long MASK = 0xFFFF_FFFFL;

  private HashedNumbers() {}

  /**
   * Returns the first numbers of a sequence.
   *
   * @param sequence the number of the sequence, 0 or more; each parameter of a program has its own
   * @param count how many numbers
   * @param bound the numbers are from {@code -bound} to below {@code bound}
   */
  static float[] of(int sequence, int count, double bound) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (bound * (mixed(sequence, i) / 0x1p31 - 1));
    }
    return numbers;
  }

  private static long mixed(long sequence, long i) {
    long x = (i * 0x9E37_79B1L + sequence * 0x85EB_CA77L) & MASK;
    x ^= x >>> 16;
    x = (x * 0x45D9_F3BL) & MASK;
    x ^= x >>> 16;
    x = (x * 0x45D9_F3BL) & MASK;
    return x ^ x >>> 16;
  }
}
