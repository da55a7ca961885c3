package io.feedline.sampler;

import io.feedline.transform.SampleRandom;

/**
 * The random numbers of one epoch. Each is computed from its place in their sequence, so a sampler
 * draws for position 17 without drawing for the earlier positions.
 *
 * <p>Number {@code n} is the n-th output of SplitMix64 (Steele, Lea, Flood: "Fast splittable
 * pseudorandom number generators", OOPSLA 2014), whose state is a counter; the counter's start
 * comes from (seed, epoch, purpose).
 */
record Draws(long start) {

  private static final long WEYL = 0x9E3779B97F4A7C15L;

  /** Returns the numbers for a purpose, to separate the uses of a seed; 0 is for permutations. */
  static Draws of(long seed, long epoch, int purpose) {
    return new Draws(new SampleRandom(seed, epoch, -1, purpose).nextLong());
  }

  long bits(long number) {
    return mix(start + (number + 1) * WEYL);
  }

  /** Returns a number from 0 to {@code bound - 1}; the bias is below bound / 2^64. */
  long below(long bound, long number) {
    long bits = bits(number);
    // Math.unsignedMultiplyHigh, which Java 17 lacks, for a bound that is not negative.
    return Math.multiplyHigh(bits, bound) + ((bits >> 63) & bound);
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive), a multiple of 2^-53. */
  double unit(long number) {
    return (bits(number) >>> 11) * 0x1p-53;
  }

  /** Maps 64 bits one to one, well mixed, by SplitMix64's finalizer; maps 0 to 0. */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
