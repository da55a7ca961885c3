package io.feedline.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

/** Pearson's test of counts against the frequencies they should have. */
final class ChiSquared {

  private ChiSquared() {}

  /** Fails unless the counts fit one frequency for all. */
  static void assertUniform(String what, long... counts) {
    double[] weights = new double[counts.length];
    Arrays.fill(weights, 1);
    assertFits(what, counts, weights);
  }

  /**
   * Fails unless the counts fit frequencies proportional to the weights: unless the statistic is
   * within four standard deviations of its mean, by Wilson and Hilferty's cube root, which makes it
   * nearly normal (PNAS 17, 1931). As everything is seeded, it always is or never.
   */
  static void assertFits(String what, long[] counts, double[] weights) {
    double total = Arrays.stream(counts).sum();
    double weight = Arrays.stream(weights).sum();
    double statistic = 0;
    int cells = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = total * weights[i] / weight;
      if (expected > 0) {
        statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
        cells++;
      } else {
        assertThat(counts[i]).as("%s: count of cell %d, which has weight 0", what, i).isZero();
      }
    }
    double freedom = cells - 1;
    double variance = 2 / (9 * freedom);
    assertThat((Math.cbrt(statistic / freedom) - (1 - variance)) / Math.sqrt(variance))
        .as("%s: chi-squared %.1f for %.0f degrees of freedom", what, statistic, freedom)
        .isBetween(-4.0, 4.0);
  }
}
