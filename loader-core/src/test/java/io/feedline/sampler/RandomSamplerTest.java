package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders in sequence, at random, and of a subset. */
class RandomSamplerTest {

  @Nested
  class InSequence extends SamplerContract {
    InSequence() {
      super(seed -> SequentialSampler.of(100), 100, 0, 1, 2, 3);
    }

    @Override
    protected boolean random() {
      return false;
    }
  }

  /** 200 indices, of which two occur twice. */
  private static final long[] SUBSET =
      LongStream.concat(LongStream.range(0, 198).map(i -> i * 1_000_000_007L), LongStream.of(0, 0))
          .toArray();

  @Nested
  class OfASubset extends SamplerContract {
    OfASubset() {
      super(
          seed -> SubsetRandomSampler.of(SUBSET, seed),
          200,
          new long[] {50000000350L, 154000001078L, 122000000854L, 46000000322L});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(sorted(indices)).isEqualTo(sorted(SUBSET));
    }

    @Test
    void shouldNotSeeLaterChangesOfTheArray() {
      long[] indices = {5, 6, 7};
      Sampler sampler = SubsetRandomSampler.of(indices, 1);
      indices[0] = 99;
      assertThat(sorted(indices(sampler.order(0)))).containsExactly(5, 6, 7);
    }
  }

  @Nested
  class EachIndexOnce extends SamplerContract {
    EachIndexOnce() {
      super(seed -> RandomSampler.of(300, seed), 300, 296, 63, 238, 37, 219, 77, 249, 113);
    }
  }

  @Nested
  class FewerSamplesThanIndices extends SamplerContract {
    FewerSamplesThanIndices() {
      super(
          seed -> RandomSampler.builder(300).seed(seed).numSamples(120).build(),
          120,
          new long[] {296, 63, 238, 37, 219, 77, 249, 113});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).distinct()).hasSize(120).allMatch(i -> i >= 0 && i < 300);
    }

    @Test
    void shouldBeThePrefixOfTheWholeOrder() {
      assertThat(indices(sampler(3).order(1)))
          .isEqualTo(Arrays.copyOf(indices(RandomSampler.of(300, 3).order(1)), 120));
    }
  }

  @Nested
  class MoreSamplesThanIndices extends SamplerContract {
    MoreSamplesThanIndices() {
      super(
          seed -> RandomSampler.builder(50).seed(seed).numSamples(170).build(),
          170,
          new long[] {0, 33, 31, 32, 37, 42, 30, 6});
    }

    @Override
    protected void verifyContents(long[] indices) {
      for (int pass = 0; pass < 3; pass++) {
        assertThat(sorted(Arrays.copyOfRange(indices, pass * 50, (pass + 1) * 50)))
            .isEqualTo(LongStream.range(0, 50).toArray());
      }
      assertThat(Arrays.stream(indices).skip(150).distinct()).hasSize(20);
    }

    @Test
    void shouldBeginWithTheOrderOfASinglePassAndThenShuffleAnew() {
      long[] indices = indices(sampler(3).order(1));
      assertThat(Arrays.copyOf(indices, 50))
          .isEqualTo(indices(RandomSampler.of(50, 3).order(1)))
          .isNotEqualTo(Arrays.copyOfRange(indices, 50, 100));
      assertThat(Arrays.copyOfRange(indices, 50, 100))
          .isNotEqualTo(Arrays.copyOfRange(indices, 100, 150));
    }
  }

  @Nested
  class WithReplacement extends SamplerContract {
    WithReplacement() {
      super(
          seed -> RandomSampler.builder(50).seed(seed).replacement(true).numSamples(400).build(),
          400,
          new long[] {2, 28, 27, 31, 13, 39, 5, 36});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices)).hasSize(400).allMatch(i -> i >= 0 && i < 50);
    }

    @Test
    void shouldDrawIndicesAndPairsEquallyOften() {
      int size = 30;
      Order order =
          RandomSampler.builder(size).replacement(true).numSamples(400_000).build().order(0);
      long[] counts = new long[size];
      long[] pairs = new long[size * size];
      for (int i = 0; i < 400_000; i += 2) {
        int first = (int) order.indexAt(i);
        int second = (int) order.indexAt(i + 1);
        counts[first]++;
        counts[second]++;
        pairs[first * size + second]++;
      }
      ChiSquared.assertUniform("indices", counts);
      ChiSquared.assertUniform("neighbors", pairs);
    }

    @Test
    void shouldDrawIndependentlyInEachEpoch() {
      int size = 20;
      Sampler sampler = RandomSampler.builder(size).seed(5).replacement(true).numSamples(4).build();
      long[] pairs = new long[size * size];
      for (long epoch = 0; epoch < 50_000; epoch++) {
        pairs[
            (int) (sampler.order(epoch).indexAt(2) * size + sampler.order(epoch + 1).indexAt(2))]++;
      }
      ChiSquared.assertUniform("epochs", pairs);
    }

    @Test
    void shouldTakeNoMemoryForHugeDatasets() {
      Order order =
          RandomSampler.builder(1L << 62).replacement(true).numSamples(1L << 62).build().order(0);
      assertThat(LongStream.range(0, 1000).map(order::indexAt).distinct()).hasSize(1000);
    }
  }

  @Test
  void shouldTakeNoMemoryForHugeNumbersOfSamples() {
    Order order = RandomSampler.builder(10).numSamples(1L << 60).build().order(0);
    long last = (1L << 60) / 10 * 10 - 10;
    assertThat(LongStream.range(last, last + 10).map(order::indexAt))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
  }

  @Test
  void shouldGiveAnEmptyEpochOfAnEmptyDataset() {
    assertThat(SequentialSampler.of(0).order(0).size()).isZero();
    assertThat(SubsetRandomSampler.of(new long[0], 1).order(0).size()).isZero();
    assertThat(RandomSampler.of(0, 1).order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).numSamples(5).build().order(0).size()).isZero();
    assertThat(RandomSampler.builder(0).replacement(true).build().order(0).size()).isZero();
  }

  @Test
  void shouldRejectSizesOutOfRange() {
    for (long size : new long[] {-1, (1L << 62) + 1}) {
      assertRefused(() -> RandomSampler.of(size, 0), "was " + size);
    }
    assertRefused(() -> RandomSampler.builder(5).numSamples(0), "numSamples must be 1 or more");
    assertRefused(() -> SequentialSampler.of(-3), "-3");
    assertRefused(() -> SubsetRandomSampler.of(new long[] {1, -3}, 1), "-3 at position 1");
  }

  @Test
  void shouldBeABijectionForEachSmallSize() {
    for (int size = 0; size <= 300; size++) {
      for (long seed = 0; seed < 5; seed++) {
        assertBijection(Permutation.of(size, seed, 1));
        assertBijection(Permutation.of(77, seed, 1).part(3, size));
      }
    }
  }

  /** Squares and their neighbors, where the grid changes its shape, a prime, a power of two. */
  @ParameterizedTest
  @ValueSource(longs = {1023, 1024, 1025, 9_999, 10_000, 10_001, 65_536, 65_537, 100_003})
  void shouldBeABijectionForLargerSizes(long size) {
    assertBijection(Permutation.of(size, 3, 5));
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000L, (1L << 40) + 1, (1L << 62) - 1, 1L << 62})
  void shouldStayInsideAndNotRepeatForHugeSizes(long size) {
    Permutation permutation = Permutation.of(size, 3, 5);
    Set<Long> seen = new HashSet<>();
    double mean = 0;
    for (int i = 0; i < 20_000; i++) {
      for (long position : new long[] {i, size / 2 + i, size - 1 - i}) {
        long index = permutation.indexAt(position);
        if (index < 0 || index >= size || !seen.add(index)) {
          fail("index %d is outside or occurs twice among %d", index, size);
        }
        mean += (double) index / size / 60_000;
      }
    }
    assertThat(mean).isCloseTo(0.5, within(0.005));
  }

  /** The small sizes, all of whose permutations can be counted: that is the whole distribution. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7})
  void shouldMakeAllPermutationsOfFewElementsEquallyFrequent(int size) {
    int permutations = 1;
    for (int i = 2; i <= size; i++) {
      permutations *= i;
    }
    long[] bySeed = new long[permutations];
    long[] byEpoch = new long[permutations];
    long[] byPart = new long[permutations];
    Permutation parts = Permutation.of(size, 11, 0);
    for (int i = 0; i < 100_000; i++) {
      bySeed[rank(Permutation.of(size, i, 0))]++;
      byEpoch[rank(Permutation.of(size, 42, i))]++;
      byPart[rank(parts.part(i, size))]++;
    }
    ChiSquared.assertUniform("seeds", bySeed);
    ChiSquared.assertUniform("epochs", byEpoch);
    ChiSquared.assertUniform("parts", byPart);
  }

  /** 17 is the first size that the grid serves, 25 a square of which rotations are all even. */
  @ParameterizedTest
  @ValueSource(ints = {10, 16, 17, 20, 25})
  void shouldPutEachIndexAtEachPositionEquallyOften(int size) {
    long[] cells = new long[size * size];
    long[] pairs = new long[size * size];
    long[] distances = new long[size];
    for (int seed = 0; seed < 60_000; seed++) {
      Permutation permutation = Permutation.of(size, seed, 0);
      int previous = (int) permutation.indexAt(size - 1);
      pairs[(int) permutation.indexAt(0) * size + previous]++;
      for (int position = 0; position < size; position++) {
        int index = (int) permutation.indexAt(position);
        cells[position * size + index]++;
        distances[Math.floorMod(index - previous, size)]++;
        previous = index;
      }
    }
    // Rows and columns are given, so there are fewer degrees of freedom than cells.
    for (int position = 0; position < size; position++) {
      ChiSquared.assertUniform(
          "position " + position,
          Arrays.copyOfRange(cells, position * size, (position + 1) * size));
    }
    double[] unequal = new double[size * size];
    Arrays.setAll(unequal, cell -> cell / size == cell % size ? 0 : 1);
    ChiSquared.assertFits("first and last", pairs, unequal);
    assertThat(distances[0]).isZero();
    ChiSquared.assertUniform("neighbors", Arrays.copyOfRange(distances, 1, size));
  }

  @Test
  void shouldLeaveNeighborsUncorrelated() {
    int size = 10_000;
    for (long seed = 0; seed < 20; seed++) {
      double[] indices = doubles(Permutation.of(size, seed, 0));
      for (int lag : new int[] {1, 2, 99, 100, 101}) {
        double[] later = Arrays.copyOfRange(indices, lag, size);
        assertUncorrelated("lag " + lag, Arrays.copyOf(indices, size - lag), later);
      }
    }
  }

  @Test
  void shouldLeaveSeedsEpochsAndPartsUncorrelated() {
    int size = 10_000;
    double[] positions = LongStream.range(0, size).asDoubleStream().toArray();
    for (long i = 0; i < 20; i++) {
      double[] indices = doubles(Permutation.of(size, i, 0));
      assertUncorrelated("position", positions, indices);
      assertUncorrelated("next seed", indices, doubles(Permutation.of(size, i + 1, 0)));
      assertUncorrelated("next epoch", indices, doubles(Permutation.of(size, i, 1)));
      assertUncorrelated("part", indices, doubles(Permutation.of(size, i, 0).part(1, size)));
      assertUncorrelated(
          "parts",
          doubles(Permutation.of(size, 5, 0).part(i, size)),
          doubles(Permutation.of(size, 5, 0).part(i + 1, size)));
    }
  }

  @Test
  void shouldKeepTheOrdersOfEarlierVersions() {
    assertThat(LongStream.range(0, 10).map(Permutation.of(10, 1, 2)::indexAt).toArray())
        .containsExactly(2, 9, 4, 3, 5, 0, 1, 7, 8, 6);
    assertThat(LongStream.range(0, 8).map(Permutation.of(1_281_167, 1, 2)::indexAt).toArray())
        .containsExactly(808044, 1168005, 837112, 1137286, 965499, 239113, 100866, 1219632);
    assertThat(LongStream.range(0, 4).map(Permutation.of(1L << 62, 1, 2)::indexAt).toArray())
        .containsExactly(
            3031980856659263759L, 3918710219516896007L, 4279311748567318619L, 3223407588774324856L);
    assertThat(LongStream.range(0, 8).map(Permutation.of(100, 1, 2).part(3, 99)::indexAt).toArray())
        .containsExactly(51, 61, 95, 47, 44, 69, 40, 63);
  }

  private static void assertBijection(Permutation permutation) {
    int size = (int) permutation.size();
    BitSet seen = new BitSet(size);
    for (int position = 0; position < size; position++) {
      seen.set((int) permutation.indexAt(position));
    }
    assertThat(seen.cardinality()).as("different indices of %d", size).isEqualTo(size);
    assertThat(seen.length()).as("1 + greatest index of %d", size).isEqualTo(size);
  }

  /** The correlation of independent orders has the standard deviation 1 / sqrt(size). */
  private static void assertUncorrelated(String what, double[] a, double[] b) {
    double mean = Arrays.stream(a).average().orElseThrow();
    double otherMean = Arrays.stream(b).average().orElseThrow();
    double product = 0;
    double squares = 0;
    double otherSquares = 0;
    for (int i = 0; i < a.length; i++) {
      product += (a[i] - mean) * (b[i] - otherMean);
      squares += (a[i] - mean) * (a[i] - mean);
      otherSquares += (b[i] - otherMean) * (b[i] - otherMean);
    }
    assertThat(product / Math.sqrt(squares * otherSquares))
        .as("correlation with %s", what)
        .isCloseTo(0, within(4 / Math.sqrt(a.length)));
  }

  /** Which of the size! permutations it is: Lehmer's code. */
  private static int rank(Permutation permutation) {
    int size = (int) permutation.size();
    int rank = 0;
    for (int i = 0; i < size; i++) {
      int smaller = 0;
      for (int j = i + 1; j < size; j++) {
        smaller += permutation.indexAt(j) < permutation.indexAt(i) ? 1 : 0;
      }
      rank = rank * (size - i) + smaller;
    }
    return rank;
  }

  private static double[] doubles(Permutation permutation) {
    return LongStream.range(0, permutation.size())
        .map(permutation::indexAt)
        .asDoubleStream()
        .toArray();
  }
}
