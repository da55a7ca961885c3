package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static io.feedline.data.Dataset.StoppingRule.ALL_EXHAUSTED;
import static io.feedline.data.Dataset.StoppingRule.FIRST_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.data.Dataset.StoppingRule;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MixRouteTest {

  @Test
  void shouldInterleaveByWeightUntilTheFirstIsExhausted() throws Exception {
    Dataset<Sample> mixed =
        Dataset.mix(List.of(files("a", 4), files("b", 9)), new double[] {2, 1}, FIRST_EXHAUSTED);

    assertThat(brief(mixed)).containsExactly("a0", "a1", "b0", "a2", "a3", "b1");
    assertThat(mixed.describe(5)).isEqualTo("/data/b/1.png");
    assertThat(mixed.name()).isEqualTo("mix(a, b)");
  }

  @Test
  void shouldBeginTheShorterAgainUntilAllAreExhausted() throws Exception {
    assertThat(brief(mix(2, 3, 0.5, 0.5))).containsExactly("a0", "b0", "a1", "b1", "a0", "b2");
  }

  /** Counting by hand what the route computes: for any index which sample of which dataset. */
  @Test
  void shouldGiveEachDatasetInItsOrderAndByItsWeightInEveryPrefix() {
    Random random = new Random(17);
    for (int round = 0; round < 60; round++) {
      int datasets = 1 + random.nextInt(6);
      double[] weights = random.doubles(datasets, 0.01, 1).toArray();
      if (round % 2 == 0) {
        Arrays.setAll(weights, i -> 1 + random.nextInt(12));
      }
      double total = Arrays.stream(weights).sum();
      long[] sizes = random.longs(datasets, 1, 40).toArray();
      StoppingRule rule = random.nextBoolean() ? FIRST_EXHAUSTED : ALL_EXHAUSTED;
      MixRoute route = new MixRoute(weights, sizes, rule);
      long[] given = new long[datasets];

      for (long i = 0; i < route.size(); i++) {
        int member = route.member(i);
        assertThat(route.indexIn(member, i)).isEqualTo(given[member] % sizes[member]);
        given[member]++;
        for (int d = 0; d < datasets; d++) {
          // A rounded weight adds at most 1/65536 per sample.
          double share = (i + 1) * weights[d] / total;
          assertThat((double) given[d]).isCloseTo(share, within(1 + (i + 1) / 65536.0));
        }
      }

      for (int d = 0; d < datasets; d++) {
        if (rule == FIRST_EXHAUSTED) {
          assertThat(given[d]).isLessThanOrEqualTo(sizes[d]);
        } else {
          assertThat(given[d]).isGreaterThanOrEqualTo(sizes[d]);
        }
      }
      int last = route.member(route.size() - 1);
      if (rule == ALL_EXHAUSTED) {
        assertThat(given[last]).as("ends with what was missing").isEqualTo(sizes[last]);
      } else {
        int lacking = route.member(route.size());
        assertThat(given[lacking]).as("goes on as long as it can").isEqualTo(sizes[lacking]);
      }
    }
  }

  @Test
  void shouldHaveTheWeightsExactlyInTheShortestBlock() {
    assertThat(MixRoute.shares(new double[] {0.7, 0.2, 0.1})).containsExactly(7, 2, 1);
    assertThat(MixRoute.shares(new double[] {3, 6})).containsExactly(1, 2);
    assertThat(MixRoute.shares(new double[] {1, 1, 1})).containsExactly(1, 1, 1);
    assertThat(MixRoute.shares(new double[] {0.999, 0.001})).containsExactly(999, 1);
  }

  @Test
  void shouldRoundOtherWeightsToTheLongestBlock() {
    int[] shares = MixRoute.shares(new double[] {Math.PI, Math.E, Math.sqrt(2)});
    double total = Math.PI + Math.E + Math.sqrt(2);

    assertThat(Arrays.stream(shares).sum()).isEqualTo(MixRoute.LONGEST_BLOCK);
    assertThat(shares[0] / 65536.0).isCloseTo(Math.PI / total, within(1 / 65536.0));
    assertThat(shares[2] / 65536.0).isCloseTo(Math.sqrt(2) / total, within(1 / 65536.0));
  }

  @Test
  void shouldMixSizesBeyondTheRangeOfAnInt() throws Exception {
    long large = 6_000_000_000L;
    Dataset<Sample> mixed =
        Dataset.mix(
            List.of(files("a", large), files("b", large)), new double[] {1, 2}, ALL_EXHAUSTED);
    long position = mixed.size() - 1;

    assertThat(mixed.size()).isBetween(3 * large - 3, 3 * large);
    assertThat(mixed.get(position)).isEqualTo(Sample.of("a", large - 1));
  }

  private static Dataset<Sample> mix(int first, int second, double... weights) {
    return Dataset.mix(List.of(files("a", first), files("b", second)), weights, ALL_EXHAUSTED);
  }

  @Test
  void shouldRefuseWeightsThatCannotBeObserved() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused(() -> mix(1, 1, 1, bad), "weights[1] must be positive and finite, was " + bad);
    }
    assertRefused(() -> mix(1, 1, 1e-9, 1), "weights[0] = 1.0E-9 is less than 1/65536");
    assertRefused(() -> mix(1, 1, 1), "one weight for each dataset: 2 datasets, weights [1.0]");
    assertRefused(() -> mix(1, 0, 1, 1), "dataset 1 of the mixture, b, is empty");
    assertRefused(
        () -> Dataset.mix(List.<Dataset<Sample>>of(), new double[0], ALL_EXHAUSTED),
        "mix needs at least one dataset, was given none");
  }
}
