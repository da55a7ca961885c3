package io.feedline.packing;

import io.feedline.Samples;
import io.feedline.data.Dataset;
import io.feedline.packing.TokenPacking.PackedRow;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Sequences all of whose tokens are different, so that each can be told by its id. */
final class Sequences {
  private Sequences() {}

  /** Lengths with many short and few long ones, like those of texts. */
  static int[] lengths(int count, int most, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, count)
        .map(i -> 1 + (int) (most * Math.pow(random.nextDouble(), 3)))
        .map(length -> Math.min(length, most))
        .toArray();
  }

  /**
   * The sequences with these lengths: the first has the ids from 1 on, each other one continues
   * behind it.
   */
  static List<TokenSequence> of(int... lengths) {
    int[] starts = new int[lengths.length + 1];
    starts[0] = 1;
    for (int i = 0; i < lengths.length; i++) {
      starts[i + 1] = starts[i] + lengths[i];
    }
    return IntStream.range(0, lengths.length)
        .mapToObj(i -> TokenSequence.of(IntStream.range(starts[i], starts[i + 1]).toArray()))
        .toList();
  }

  /** A dataset of sequences some of which cannot be read. */
  static Dataset<TokenSequence> failing(List<TokenSequence> sequences, Set<Long> broken) {
    return Samples.described(
        Dataset.of(
            sequences.size(),
            index -> {
              Samples.failIf(broken.contains(index), "text " + index + " is torn");
              return sequences.get((int) index);
            }),
        index -> "text " + index);
  }

  /** All ids from 1 on, sorted. */
  static int[] allIds(int... lengths) {
    return IntStream.rangeClosed(1, Arrays.stream(lengths).sum()).toArray();
  }

  /** The ids of rows, sorted. */
  static int[] sortedIds(List<PackedRow> rows) {
    return rows.stream().flatMapToInt(row -> Arrays.stream(row.ids())).sorted().toArray();
  }
}
