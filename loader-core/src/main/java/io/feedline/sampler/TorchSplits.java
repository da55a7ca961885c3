package io.feedline.sampler;

import java.util.Arrays;

/**
 * The splits of a dataset by PyTorch's {@code random_split}: {@code torch.randperm(size)} from a
 * generator, cut into pieces.
 *
 * <p>Each method gives one array of indices per piece, in PyTorch's order, for {@link
 * io.feedline.Dataset#split(long[][])}.
 */
public final class TorchSplits {

  /** How far Python's {@code math.isclose} lets a sum of fractions be from 1. */
  private static final double TOLERANCE = 1e-9;

  private TorchSplits() {}

  /**
   * Divides as {@code random_split(dataset, lengths,
   * generator=torch.Generator().manual_seed(seed))}.
   *
   * @param size the dataset's size, from 0 to 2^31 - 9
   * @param lengths of the pieces, which add up to the size
   * @throws IllegalArgumentException if the size is out of range, a length negative, or they do not
   *     add up to the size
   */
  public static long[][] randomSplit(long size, long[] lengths, long seed) {
    return randomSplit(size, lengths, TorchRandom.ofSeed(seed));
  }

  /**
   * Returns the split that draws from this generator, which goes on by what {@code randperm(size)}
   * takes.
   *
   * @see #randomSplit(long, long[], long)
   */
  public static long[][] randomSplit(long size, long[] lengths, TorchRandom generator) {
    int count = TorchRandomSampler.arraySize("size", size);
    checkLengths(size, lengths);
    long[] indices = generator.randperm(count);
    long[][] pieces = new long[lengths.length][];
    int offset = 0;
    for (int i = 0; i < lengths.length; i++) {
      int end = offset + (int) lengths[i];
      pieces[i] = Arrays.copyOfRange(indices, offset, end);
      offset = end;
    }
    return pieces;
  }

  /**
   * Divides as {@code random_split(dataset, fractions,
   * generator=torch.Generator().manual_seed(seed))}.
   *
   * @param size the dataset's size, from 0 to 2^31 - 9
   * @param fractions of the pieces, see {@link #lengths}
   * @throws IllegalArgumentException if the size is out of range, a fraction outside 0 to 1, or
   *     they do not add up to 1
   */
  public static long[][] randomSplit(long size, double[] fractions, long seed) {
    return randomSplit(size, lengths(size, fractions), seed);
  }

  /**
   * Returns the split that draws from this generator, which goes on by what {@code randperm(size)}
   * takes.
   *
   * @see #randomSplit(long, double[], long)
   */
  public static long[][] randomSplit(long size, double[] fractions, TorchRandom generator) {
    return randomSplit(size, lengths(size, fractions), generator);
  }

  /**
   * Returns the lengths that PyTorch makes of fractions: each rounded down, the remainder dealt one
   * by one from the first piece on. {@code lengths(11, {.3, .3, .4})} is {4, 3, 4}.
   *
   * <p>The sum may be off by 1e-9. PyTorch refuses a sum above 1, but whether rounding lifts one
   * there depends on Python's release, so here it may.
   *
   * @throws IllegalArgumentException if the size is negative, a fraction outside 0 to 1, or they do
   *     not add up to 1
   */
  public static long[] lengths(long size, double... fractions) {
    if (size < 0) {
      throw new IllegalArgumentException("size must be 0 or more, was " + size);
    }
    double sum = 0;
    for (int i = 0; i < fractions.length; i++) {
      if (!(fractions[i] >= 0 && fractions[i] <= 1)) {
        throw new IllegalArgumentException(
            "fractions must be from 0 to 1, was %s at position %d".formatted(fractions[i], i));
      }
      sum += fractions[i];
    }
    if (Math.abs(sum - 1) > TOLERANCE) {
      throw new IllegalArgumentException(
          "fractions must add up to 1, %s give %s".formatted(Arrays.toString(fractions), sum));
    }
    long[] lengths = new long[fractions.length];
    long remainder = size;
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = (long) Math.floor(size * fractions[i]);
      remainder -= lengths[i];
    }
    for (int i = 0; i < remainder; i++) {
      lengths[i % lengths.length]++;
    }
    checkLengths(size, lengths);
    return lengths;
  }

  private static void checkLengths(long size, long[] lengths) {
    long left = size;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "lengths must be 0 or more, was %d at position %d".formatted(lengths[i], i));
      }
      left -= Math.min(left + 1, lengths[i]);
    }
    if (left != 0) {
      throw new IllegalArgumentException(
          "lengths must add up to the size %d, were %s".formatted(size, Arrays.toString(lengths)));
    }
  }
}
