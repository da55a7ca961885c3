package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class AveragePrecisionTest {

  /** A square of side 10, moved to the right. */
  private static Detection at(float left, int label, double score) {
    return new Detection(label, (float) score, left, 0, left + 10, 10);
  }

  @Test
  void shouldMeasureHowMuchTwoBoxesOverlap() {
    assertThat(at(0, 0, 1).overlap(at(5, 0, 1))).isCloseTo(1 / 3f, within(1e-6f));
    assertThat(at(0, 0, 1).overlap(at(10, 0, 1))).isZero();
    assertThat(at(0, 0, 1).overlap(at(0, 1, 0.5))).isEqualTo(1);
  }

  @Test
  void shouldKeepTheBestOfWhatOverlaps() {
    List<Detection> found =
        List.of(at(1, 0, 0.6), at(0, 0, 0.9), at(0, 1, 0.5), at(9, 0, 0.4), at(100, 0, 0.95));

    assertThat(Detection.suppress(found, 0.5f))
        .containsExactly(at(100, 0, 0.95), at(0, 0, 0.9), at(0, 1, 0.5), at(9, 0, 0.4));
  }

  @Test
  void shouldTakeTheAreaBelowTheCurve() {
    AveragePrecision precision = new AveragePrecision(1);

    // Right, wrong, right, and a box that is not found.
    precision.add(List.of(at(0, 0, 1), at(50, 0, 1)), List.of(at(0, 0, 0.9), at(80, 0, 0.8)));
    precision.add(List.of(at(0, 0, 1)), List.of(at(1, 0, 0.7)));

    assertThat(precision.value()).isCloseTo((1 + 2 / 3.0) / 3, within(1e-9));
    assertThat(precision.precision()).isCloseTo(2 / 3.0, within(1e-9));
    assertThat(precision.recall()).isCloseTo(2 / 3.0, within(1e-9));
  }

  @Test
  void shouldCountTheSecondPredictionOfABoxAsWrong() {
    AveragePrecision precision = new AveragePrecision(1);

    precision.add(List.of(at(0, 0, 1)), List.of(at(1, 0, 0.6), at(0, 0, 0.9)));

    assertThat(precision.value()).isEqualTo(1);
    assertThat(precision.precision()).isEqualTo(0.5);
  }

  @Test
  void shouldTellClassesApart() {
    AveragePrecision precision = new AveragePrecision(3);

    precision.add(List.of(at(0, 0, 1), at(50, 1, 1)), List.of(at(0, 0, 0.9), at(50, 0, 0.3)));

    assertThat(precision.value()).as("1 and 0; the third class does not occur").isEqualTo(0.5);
    assertThat(precision.precision()).as("of the one above a half").isEqualTo(1);
  }

  @Test
  void shouldBeZeroWhereThereIsNothing() {
    AveragePrecision precision = new AveragePrecision(2);

    precision.add(List.of(), List.of(at(0, 1, 0.9)));

    assertThat(precision.value()).isZero();
    assertThat(precision.precision()).isZero();
    assertThat(precision.recall()).isZero();
  }
}
