package io.feedline.sampler;

import java.util.Arrays;

/** The splits of a dataset by PyTorch's {@code random_split}. */
final class TorchSplits {

  /** The distance of a sum of fractions from 1 that Python's {@code math.isclose} allows. */
  private static final double TOLERANCE = 1e-9;

  private TorchSplits() {}

  static long[][] randomSplit(long size, long[] lengths, TorchRandom generator) {
    int count = TorchRandomDraw.arraySize("size", size);
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

  static long[] lengths(long size, double... fractions) {
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
    checkLengths(size, lengths); // fractions with a sum above 1 may give too many samples
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
