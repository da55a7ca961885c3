package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HashedNumbersTest {

  /** The numbers are those of {@code hashed(sequence, (3,), 2)} in {@code peers/train_step.py}. */
  @Test
  void shouldBeThoseOfThePeer() {
    assertThat(HashedNumbers.of(0, 3, 2)).containsExactly(-2.0f, -1.020332f, 1.6800917f);
    assertThat(HashedNumbers.of(61, 3, 2)).containsExactly(-1.5329832f, -0.8550304f, 0.19960313f);
  }

  @Test
  void shouldFillTheirRangeEvenly() {
    float[] numbers = HashedNumbers.of(3, 100_000, 0.5);
    int[] tenths = new int[10];
    for (float number : numbers) {
      assertThat(number).isBetween(-0.5f, 0.5f);
      tenths[(int) Math.min(9, 10 * (number + 0.5))]++;
    }
    for (int count : tenths) {
      assertThat(count).isBetween(9_500, 10_500);
    }
  }
}
