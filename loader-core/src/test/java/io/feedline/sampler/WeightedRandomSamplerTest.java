package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.sampler.Sampler.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WeightedRandomSamplerTest {

  /** 0, 1, 2, 0, 4, 5, 0, 7, ... */
  private static final double[] WEIGHTS =
      LongStream.range(0, 200).mapToDouble(i -> i % 3 == 0 ? 0 : i).toArray();

  /** Three classes with 30, 269 and 1 of 300 samples. */
  private static final int[] LABELS =
      IntStream.range(0, 300).map(i -> i == 150 ? 9 : i % 10 == 3 ? 0 : -3).toArray();

  @Nested
  class WithReplacement extends SamplerContract {
    WithReplacement() {
      super(
          seed -> WeightedRandomSampler.of(WEIGHTS, 500, seed),
          500,
          new long[] {76, 61, 79, 95, 182, 166, 182, 142});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices)).allMatch(i -> WEIGHTS[Math.toIntExact(i)] > 0);
    }
  }

  @Nested
  class WithoutReplacement extends SamplerContract {
    WithoutReplacement() {
      super(
          seed ->
              WeightedRandomSampler.builder(WEIGHTS)
                  .seed(seed)
                  .numSamples(100)
                  .replacement(false)
                  .build(),
          100,
          new long[] {68, 59, 187, 167, 179, 103, 190, 80});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).distinct())
          .hasSize(100)
          .allMatch(i -> WEIGHTS[Math.toIntExact(i)] > 0);
    }
  }

  @Nested
  class Balanced extends SamplerContract {
    Balanced() {
      super(
          seed -> WeightedRandomSampler.balanced(LABELS, seed),
          LABELS.length,
          new long[] {114, 92, 150, 143, 273, 150, 203, 150});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices).mapToInt(i -> LABELS[Math.toIntExact(i)]).distinct())
          .containsExactlyInAnyOrder(-3, 0, 9);
    }
  }

  @Test
  void shouldDrawAllClassesEquallyOftenAndAllOfAClass() {
    Order order = WeightedRandomSampler.balanced(LABELS, 300_000, 5).order(1);

    assertThat(order.size()).isEqualTo(300_000);
    long[] counts = counts(order, LABELS.length);
    // A third of the draws each: 1 of 300, 30 of 300, 269 of 300.
    double[] expected = new double[LABELS.length];
    Arrays.setAll(expected, i -> LABELS[i] == 9 ? 1 : LABELS[i] == 0 ? 1.0 / 30 : 1.0 / 269);
    ChiSquared.assertFits("balanced", counts, expected);
  }

  @Test
  void shouldBalanceLabelsOfEitherWidthAlike() {
    long[] wide = Arrays.stream(LABELS).mapToLong(label -> label + (1L << 40)).toArray();

    assertThat(SamplerContract.indices(WeightedRandomSampler.balanced(wide, 6).order(2)))
        .isEqualTo(SamplerContract.indices(WeightedRandomSampler.balanced(LABELS, 6).order(2)));
    assertThat(WeightedRandomSampler.balanced(wide, 7, 6))
        .hasToString(WeightedRandomSampler.balanced(LABELS, 7, 6).toString())
        .hasToString("WeightedRandomSampler(weights=300, seed=6, replacement=true, numSamples=7)");
  }

  private static long[] counts(Order order, int indices) {
    long[] counts = new long[indices];
    for (long position = 0; position < order.size(); position++) {
      counts[(int) order.indexAt(position)]++;
    }
    return counts;
  }

  @Test
  void shouldDrawNeighborsIndependently() {
    double[] weights = {1, 2, 3, 4};
    Order order = WeightedRandomSampler.of(weights, 200_000, 9).order(0);
    long[] pairs = new long[16];
    for (int position = 0; position < 200_000; position += 2) {
      pairs[(int) (order.indexAt(position) * 4 + order.indexAt(position + 1))]++;
    }
    double[] expected = new double[16];
    Arrays.setAll(expected, pair -> weights[pair / 4] * weights[pair % 4]);
    ChiSquared.assertFits("pairs", pairs, expected);
  }

  private static List<double[]> weights() {
    List<double[]> cases = new ArrayList<>();
    for (int size : new int[] {1, 2, 3, 17, 1000, 4097}) {
      Draws draws = Draws.of(size, 0, 9);
      double[] weights = new double[size];
      Arrays.setAll(weights, i -> i % 5 == 1 ? 0 : Math.pow(draws.unit(i), 8));
      cases.add(weights);
    }
    double most = Double.MAX_VALUE;
    cases.add(new double[] {most, most, 0, most / 2});
    cases.add(new double[] {1e-310, 2e-310, 0, 1e-310});
    return cases;
  }

  /** The table holds what it was given: each index's share of all columns, added up. */
  @Test
  void shouldKeepEachWeightInTheTable() {
    for (double[] weights : weights()) {
      int size = weights.length;
      double max = Arrays.stream(weights).max().orElseThrow();
      double sum = Arrays.stream(weights).map(weight -> weight / max).sum();
      AliasTable table = new AliasTable(weights);
      double[] shares = new double[size];
      for (int column = 0; column < size; column++) {
        double own = ownShare(table, column);
        shares[column] += own / size;
        shares[table.at(column, Math.nextDown(1.0))] += (1 - own) / size;
      }
      for (int i = 0; i < size; i++) {
        double expected = weights[i] / max / sum;
        assertThat(shares[i])
            .as("the share of %d of %d", i, size)
            .isCloseTo(expected, within(1e-7 * (expected + 1.0 / size)));
        if (weights[i] == 0) {
          assertThat(shares[i]).isZero();
        }
      }
    }
  }

  @Test
  void shouldNeverDrawAWeightOfZeroHoweverTheTableIsRounded() {
    Random random = new Random(1);
    for (int trial = 0; trial < 2000; trial++) {
      double[] weights = new double[1 + random.nextInt(40)];
      for (int i = 1; i < weights.length; i++) {
        weights[i] = random.nextInt(3) == 0 ? 0 : random.nextDouble() * Math.pow(10, i % 7);
      }
      weights[weights.length - 1] = 0.1;
      AliasTable table = new AliasTable(weights);
      for (int column = 0; column < weights.length; column++) {
        assertThat(weights[table.at(column, 0)]).isPositive();
        assertThat(weights[table.at(column, Math.nextDown(1.0))]).isPositive();
      }
    }
  }

  @Test
  void shouldDrawTheSmallestWeightBeforeOneOfZero() {
    double[] weights = {0, Double.MIN_VALUE, Double.MAX_VALUE, 0};
    WeightedRandomSampler.Builder builder =
        WeightedRandomSampler.builder(weights).numSamples(2).replacement(false);
    for (int seed = 0; seed < 10; seed++) {
      assertThat(SamplerContract.indices(builder.seed(seed).build().order(0)))
          .containsExactly(2, 1);
    }
  }

  /** Successive draws without replacement: P(i, j) = w_i * w_j / (1 - w_i) for weights of sum 1. */
  @Test
  void shouldDrawWithoutReplacementAsIfOneAfterTheOther() {
    double[] weights = {0.4, 0.3, 0.2, 0.1, 0};
    Sampler sampler =
        WeightedRandomSampler.builder(weights).seed(3).numSamples(2).replacement(false).build();
    long[] pairs = new long[25];
    for (long epoch = 0; epoch < 50_000; epoch++) {
      Order order = sampler.order(epoch);
      pairs[(int) (order.indexAt(0) * 5 + order.indexAt(1))]++;
    }
    double[] expected = new double[25];
    Arrays.setAll(
        expected,
        pair ->
            pair / 5 == pair % 5
                ? 0
                : weights[pair / 5] * weights[pair % 5] / (1 - weights[pair / 5]));
    ChiSquared.assertFits("pairs", pairs, expected);
  }

  @Test
  void shouldDrawAllNonZeroWeightsOnceWithoutReplacement() {
    float[] weights = {0, 1e-30f, 1, 0, 1e30f, 3};
    Sampler sampler =
        WeightedRandomSampler.builder(weights).numSamples(4).replacement(false).build();
    for (long epoch = 0; epoch < 50; epoch++) {
      assertThat(SamplerContract.indices(sampler.order(epoch)))
          .containsExactlyInAnyOrder(1, 2, 4, 5);
    }
    assertThat(
            SamplerContract.indices(
                WeightedRandomSampler.builder(new float[] {2}).replacement(false).build().order(0)))
        .containsExactly(0);
  }

  @Test
  void shouldNotSeeLaterChangesOfTheArray() {
    for (boolean replacement : new boolean[] {true, false}) {
      double[] weights = {1, 0};
      WeightedRandomSampler.Builder builder =
          WeightedRandomSampler.builder(weights).numSamples(1).replacement(replacement);
      Sampler before = builder.build();
      weights[0] = 0;
      weights[1] = 1;
      assertThat(before.order(0).indexAt(0)).isZero();
      assertThat(builder.build().order(0).indexAt(0)).isZero();
    }
  }

  @Test
  void shouldRejectWeightsThatCannotBeDrawn() {
    for (double wrong : new double[] {-1e-9, Double.POSITIVE_INFINITY, Double.NaN}) {
      double[] weights = {1, wrong};
      float[] floats = {1, (float) wrong};
      assertRefused(
          () -> WeightedRandomSampler.of(weights, 1, 0), "was %s at position 1".formatted(wrong));
      assertRefused(() -> WeightedRandomSampler.builder(floats).build(), "at position 1");
    }
    for (double[] none : new double[][] {{0, -0.0}, {}}) {
      assertRefused(() -> WeightedRandomSampler.of(none, 1, 0), "weights is above 0");
    }
    WeightedRandomSampler.Builder builder =
        WeightedRandomSampler.builder(new double[] {1, 0, 2}).replacement(false);
    assertRefused(() -> builder.numSamples(3).build(), "only 2 of the 3 weights are above 0");
    assertThat(builder.numSamples(2).build().order(0).size()).isEqualTo(2);
  }

  /** The probability, found by bisection, with which a column gives itself. */
  private static double ownShare(AliasTable table, int column) {
    if (table.at(column, Math.nextDown(1.0)) == column) {
      return 1;
    }
    double low = 0;
    double high = 1;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (table.at(column, middle) == column) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
