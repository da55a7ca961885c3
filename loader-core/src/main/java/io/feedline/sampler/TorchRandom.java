package io.feedline.sampler;

import java.util.random.RandomGenerator;

/**
 * PyTorch's CPU random numbers, bit for bit: the numbers of {@code
 * torch.Generator().manual_seed(seed)} in {@code torch.randperm}, {@code randint}, {@code rand} and
 * {@code uniform_}.
 *
 * <p>The generator is MT19937 (Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8, 1998)
 * with the seeding of 2002 ({@code init_genrand}). PyTorch's use of these words is defined in
 * {@code ATen/core/MT19937RNGEngine.h}, {@code ATen/core/TransformationHelper.h}, {@code
 * ATen/core/DistributionsHelper.h} and, for permutations, {@code ATen/native/TensorFactories.cpp}.
 * The Javadoc of each method states how many 32-bit words it draws, so that a mixture of calls
 * stays in step with a Python program that makes the same calls.
 *
 * <p>As a {@link RandomGenerator}, {@link #nextInt()} returns the next word, {@link #nextLong()}
 * the next two, {@link #nextFloat()} and {@link #nextDouble()} the numbers of {@code torch.rand}.
 * The interface's other methods (bounded integers, Gaussians, streams) use Java's algorithms on
 * these words, not PyTorch's.
 *
 * <p>Compared with PyTorch 2.13. Up to release 2.6, a {@link #randint} of 2^28 to 2^32 values took
 * one word instead of two; nothing else here has changed since release 1.13.
 *
 * <p>Not thread-safe. It keeps 2.5 KB.
 */
public final class TorchRandom implements RandomGenerator {

  /** A permutation of at least this size uses two words per element, not one: UINT32_MAX / 20. */
  static final long LARGE_PERMUTATION = 214_748_364L;

  /** A bounded integer of at least this number of values uses two words, not one. */
  private static final long LARGE_RANGE = 1L << 28;

  private static final int N = 624;
  private static final int M = 397;
  private static final int MATRIX_A = 0x9908B0DF;
  private static final int UPPER_MASK = 0x80000000;
  private static final int LOWER_MASK = 0x7FFFFFFF;

  private final int[] state;
  private int next;
  private long words;

  private TorchRandom(int[] state, int next, long words) {
    this.state = state;
    this.next = next;
    this.words = words;
  }

  /**
   * Returns a generator in the state that {@code manual_seed(seed)} sets.
   *
   * @param seed the seed; PyTorch's engine uses its low 32 bits
   */
  public static TorchRandom ofSeed(long seed) {
    int[] state = new int[N];
    state[0] = (int) seed;
    for (int i = 1; i < N; i++) {
      state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
    return new TorchRandom(state, N, 0);
  }

  /** Returns an independent generator in the same state, like {@code clone_state()}. */
  public TorchRandom copy() {
    return new TorchRandom(state.clone(), next, words);
  }

  /** Returns the number of words drawn or skipped since the seed. */
  public long words() {
    return words;
  }

  /** Returns the next tempered word: {@code random()} in ATen. Draws one word. */
  @Override
  public int nextInt() {
    if (next == N) {
      twist();
    }
    words++;
    int y = state[next++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9D2C5680;
    y ^= (y << 15) & 0xEFC60000;
    return y ^ (y >>> 18);
  }

  private void twist() {
    int[] s = state;
    for (int i = 0; i < N - M; i++) {
      s[i] = s[i + M] ^ mix(s[i], s[i + 1]);
    }
    for (int i = N - M; i < N - 1; i++) {
      s[i] = s[i + M - N] ^ mix(s[i], s[i + 1]);
    }
    s[N - 1] = s[M - 1] ^ mix(s[N - 1], s[0]);
    next = 0;
  }

  private static int mix(int u, int v) {
    return (((u & UPPER_MASK) | (v & LOWER_MASK)) >>> 1) ^ (-(v & 1) & MATRIX_A);
  }

  /** Returns two words, the first in the upper half: {@code random64()} in ATen. */
  @Override
  public long nextLong() {
    long high = nextInt();
    return high << 32 | Integer.toUnsignedLong(nextInt());
  }

  /** Draws {@code torch.rand(1)}, float32: 24 bits of one word, from 0 to below 1. */
  @Override
  public float nextFloat() {
    return (nextInt() & 0xFFFFFF) * 0x1p-24f;
  }

  /** Draws {@code torch.rand(1, dtype=torch.float64)}: 53 bits of two words, from 0 to below 1. */
  @Override
  public double nextDouble() {
    return (nextLong() & ((1L << 53) - 1)) * 0x1p-53;
  }

  /**
   * Draws {@code torch.empty((), dtype=torch.int64).random_()}: 0 to 2^63 - 1. Two words. PyTorch
   * draws the seeds of its loaders and samplers in this way.
   */
  public long randomInt64() {
    return nextLong() & Long.MAX_VALUE;
  }

  /**
   * Draws {@code torch.randint(low, high, (1,))}: one word for fewer than 2^28 values, else two.
   * The result is a remainder, so it is slightly uneven, as in PyTorch.
   *
   * @param low the smallest value
   * @param high the largest value + 1
   * @throws IllegalArgumentException if {@code low >= high}
   */
  public long randint(long low, long high) {
    if (low >= high) {
      throw new IllegalArgumentException(
          "randint needs low < high, was low %d, high %d".formatted(low, high));
    }
    // Up to 2^64 - 1 values: an unsigned number.
    long range = high - low;
    if (Long.compareUnsigned(range, LARGE_RANGE) < 0) {
      return Integer.toUnsignedLong(nextInt()) % range + low;
    }
    return Long.remainderUnsigned(nextLong(), range) + low;
  }

  /**
   * Draws {@code torch.empty(1).uniform_(from, to)}, float32. One word.
   *
   * <p>Multiplication and addition are rounded once, together, as PyTorch's kernels for AVX2 and
   * AVX-512 do.
   *
   * @throws IllegalArgumentException if {@code from > to} or a bound is not finite as a float
   */
  public float uniformFloat(double from, double to) {
    float low = (float) from;
    float high = (float) to;
    if (!(low <= high && Float.isFinite(high - low))) {
      throw new IllegalArgumentException(
          "uniform needs finite from <= to, was from %s, to %s".formatted(from, to));
    }
    return Math.fma(nextFloat(), high - low, low);
  }

  /** Draws {@code torch.empty(1, dtype=torch.float64).uniform_(from, to)}. Two words. */
  public double uniformDouble(double from, double to) {
    if (!(from <= to && Double.isFinite(to - from))) {
      throw new IllegalArgumentException(
          "uniform needs finite from <= to, was from %s, to %s".formatted(from, to));
    }
    return Math.fma(nextDouble(), to - from, from);
  }

  /** Draws the permutation of {@link #randpermInt32} as 64-bit integers. */
  public long[] randperm(int n) {
    int[] narrow = randpermInt32(n);
    long[] wide = new long[n];
    for (int i = 0; i < n; i++) {
      wide[i] = narrow[i];
    }
    return wide;
  }

  /**
   * Draws {@code torch.randperm(n)}: the numbers 0 to n-1 in a random order. Takes n-1 words if n
   * is below 214 748 364 (one for each swap), otherwise 2n (Fisher and Yates' inside-out shuffle).
   *
   * @param n 0 or more
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public int[] randpermInt32(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n must be 0 or more, was " + n);
    }
    int[] order = new int[n];
    if (n < LARGE_PERMUTATION) {
      swapForward(order);
    } else {
      swapInsideOut(order);
    }
    return order;
  }

  /**
   * Divides a dataset as {@code random_split(dataset, lengths, generator)}: a {@code
   * randperm(size)}, cut into pieces.
   *
   * @param size the dataset's size, from 0 to 2^31 - 9
   * @param lengths the lengths of the pieces, which add up to the size
   * @return one array of indices for each piece, in PyTorch's order, for {@link
   *     io.feedline.data.Dataset#split(long[][])}
   * @throws IllegalArgumentException if the size is out of range, a length negative, or the lengths
   *     do not add up to the size
   */
  public long[][] randomSplit(long size, long[] lengths) {
    return TorchSplits.randomSplit(size, lengths, this);
  }

  /** Divides a dataset into pieces whose lengths are the {@link #splitLengths} of fractions. */
  public long[][] randomSplit(long size, double[] fractions) {
    return TorchSplits.randomSplit(size, splitLengths(size, fractions), this);
  }

  /**
   * Returns the lengths that PyTorch derives from fractions: each rounded down, the remainder dealt
   * one by one from the first piece on. {@code splitLengths(11, .3, .3, .4)} is {4, 3, 4}.
   *
   * <p>The sum may be off by 1e-9. PyTorch refuses a sum above 1. Whether rounding makes a sum
   * exceed 1 depends on Python's release, so this method allows it.
   *
   * @throws IllegalArgumentException if the size is negative, a fraction outside 0 to 1, or the
   *     fractions do not add up to 1
   */
  public static long[] splitLengths(long size, double... fractions) {
    return TorchSplits.lengths(size, fractions);
  }

  private void swapForward(int[] order) {
    int n = order.length;
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    for (int i = 0; i < n - 1; i++) {
      int other = i + Integer.remainderUnsigned(nextInt(), n - i);
      int saved = order[i];
      order[i] = order[other];
      order[other] = saved;
    }
  }

  private void swapInsideOut(int[] order) {
    for (int i = 0; i < order.length; i++) {
      int other = (int) Long.remainderUnsigned(nextLong(), i + 1L);
      order[i] = order[other];
      order[other] = i;
    }
  }

  static long wordsOfRandperm(long n) {
    return n < LARGE_PERMUTATION ? Math.max(0, n - 1) : 2 * n;
  }

  static int wordsOfRandint(long range) {
    return Long.compareUnsigned(range, LARGE_RANGE) < 0 ? 1 : 2;
  }

  /**
   * Skips words as if they had been drawn; a billion words take about a second.
   *
   * @throws IllegalArgumentException if the count is negative
   */
  public void skip(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("words to skip must be 0 or more, was " + count);
    }
    words += count;
    long left = count;
    while (left > N - next) {
      left -= N - next;
      twist();
    }
    next += (int) left;
  }

  @Override
  public String toString() {
    return "TorchRandom(words=" + words + ")";
  }
}
