package io.feedline.bench;

/**
 * Numbers that look random and are the same here and in {@code peers/train_step.py}, which has this
 * function too: two programs that begin with the same weights and take the same steps must get the
 * same losses.
 *
 * <p>The mixing is the 32-bit one of Chris Wellons' "Prospecting for Hash Functions". All its
 * intermediate results fit into signed 64-bit integers, the widest that PyTorch has.
 */
final class HashedNumbers {
  private static final long MASK = 0xFFFF_FFFFL;

  private HashedNumbers() {}

  /**
   * A sequence's first numbers.
   *
   * @param sequence the number of the sequence, 0 or more; each parameter of a program has its own
   * @param count how many
   * @param bound they are from {@code -bound} to below {@code bound}
   */
  static float[] of(int sequence, int count, double bound) {
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (float) (bound * (mixed(sequence, i) / 0x1p31 - 1));
    }
    return numbers;
  }

  /** 32 bits, unsigned. */
  private static long mixed(long sequence, long i) {
    long x = (i * 0x9E37_79B1L + sequence * 0x85EB_CA77L) & MASK;
    x ^= x >>> 16;
    x = (x * 0x45D9_F3BL) & MASK;
    x ^= x >>> 16;
    x = (x * 0x45D9_F3BL) & MASK;
    return x ^ x >>> 16;
  }
}
