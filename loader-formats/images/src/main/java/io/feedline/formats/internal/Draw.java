package io.feedline.formats.internal;

import java.util.random.RandomGenerator;

/**
 * Random numbers as PyTorch's CPU generator draws them, each from one {@link
 * RandomGenerator#nextInt()}. If {@code nextInt} of a generator returns the words of PyTorch's
 * Mersenne Twister, transforms that draw through this class draw PyTorch's numbers, bit for bit.
 */
public final class Draw {
  private static final int FRACTION_BITS = 24;

  private Draw() {}

  /** Returns {@code torch.rand(1)}: a float from 0 to below 1, from the lower 24 bits of a word. */
  public static float unit(RandomGenerator random) {
    return (random.nextInt() & ((1 << FRACTION_BITS) - 1)) * 0x1p-24f;
  }

  /** Returns {@code torch.empty(1).uniform_(low, high)}; scaling and shifting round only once. */
  public static float uniform(RandomGenerator random, float low, float high) {
    return Math.fma(unit(random), high - low, low);
  }

  /** Returns whether an event of this probability, 0 to 1, happens: {@code torch.rand(1) < p}. */
  public static boolean happens(RandomGenerator random, double probability) {
    return unit(random) < (float) probability;
  }

  /** Returns {@code torch.randperm(n)}, for a small n. */
  public static int[] permutation(RandomGenerator random, int n) {
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[i] = i;
    }
    for (int i = 0; i < n - 1; i++) {
      int j = i + below(random, n - i);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    return order;
  }

  /** Returns {@code torch.randint(0, bound, (1,))}, for a bound of 1 or more. */
  public static int below(RandomGenerator random, int bound) {
    return Integer.remainderUnsigned(random.nextInt(), bound);
  }
}
