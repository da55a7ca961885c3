package io.feedline.sampler;

import io.feedline.internal.Counts;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.TorchSampler.Draw;

/**
 * The draw of the indices of PyTorch's {@code RandomSampler}.
 *
 * @param global whether the indices come from a new generator, which the given generator seeds
 */
record TorchRandomDraw(long size, long count, boolean replacement, boolean global) implements Draw {

  /** The number of indices that PyTorch draws at once with replacement. */
  private static final int CHUNK = 32;

  static TorchRandomDraw of(long size, TorchSampler.Builder options) {
    if (size < 0) {
      throw new IllegalArgumentException("size must be 0 or more, was " + size);
    }
    if (!options.replacement) {
      arraySize("size", size);
    }
    long count = options.numSamples.orElse(size);
    arraySize("numSamples", count);
    if ((count == 0) != (size == 0)) {
      throw new IllegalArgumentException(
          "numSamples must be 1 or more, and 0 only for an empty dataset, was %d of %d"
              .formatted(count, size));
    }
    return new TorchRandomDraw(size, count, options.replacement, options.global);
  }

  @Override
  public long words(long asked) {
    if (global) {
      return TorchSampler.WORDS_OF_SEED;
    }
    if (replacement) {
      long drawn = Math.min(count, Counts.ceilDiv(Math.min(asked, count), CHUNK) * CHUNK);
      return drawn * TorchRandom.wordsOfRandint(size);
    }
    // At an epoch's end, PyTorch draws a permutation for the rest even if there is no rest.
    long permutations = asked > count ? count / size + 1 : Counts.ceilDiv(asked, size);
    return permutations * TorchRandom.wordsOfRandperm(size);
  }

  @Override
  public Order order(TorchRandom random) {
    return indices(global ? TorchRandom.ofSeed(random.randomInt64()) : random);
  }

  private Order indices(TorchRandom random) {
    int count = (int) this.count;
    if (!replacement) {
      return DrawnOrder.of(permutations(random, count), count > size);
    }
    if (size <= Integer.MAX_VALUE) {
      int[] indices = new int[count];
      for (int i = 0; i < count; i++) {
        indices[i] = (int) random.randint(0, size);
      }
      return DrawnOrder.of(indices, true);
    }
    long[] indices = new long[count];
    for (int i = 0; i < count; i++) {
      indices[i] = random.randint(0, size);
    }
    return DrawnOrder.of(count, position -> indices[(int) position], true);
  }

  private int[] permutations(TorchRandom random, int count) {
    int n = (int) size;
    if (count == n) {
      return random.randpermInt32(n);
    }
    int[] indices = new int[count];
    int done = 0;
    while (done < count) {
      int length = Math.min(n, count - done);
      System.arraycopy(random.randpermInt32(n), 0, indices, done, length);
      done += length;
    }
    return indices;
  }

  /** Returns a size as an int; refuses a size that no array can have. */
  static int arraySize(String name, long size) {
    if (size < 0 || size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%s must be from 0 to %d, was %d".formatted(name, Integer.MAX_VALUE - 8, size));
    }
    return (int) size;
  }

  @Override
  public String toString() {
    return "random, size=%d, numSamples=%d, replacement=%s, %s"
        .formatted(size, count, replacement, global ? "global generator" : "own generator");
  }
}
