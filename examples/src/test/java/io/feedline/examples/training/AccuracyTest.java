package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccuracyTest {
  @Test
  void shouldCountLabelsAmongTheBest() {
    float[] scores = {
      3, 1, 2, // label 0: first
      3, 1, 2, // label 2: second
      3, 1, 2, // label 1: third
      3, Float.NaN, 2, // label 1: nowhere
    };
    long[] labels = {0, 2, 1, 1};

    assertThat(Accuracy.topK(scores, labels, 1)).isEqualTo(25);
    assertThat(Accuracy.topK(scores, labels, 2)).isEqualTo(50);
    assertThat(Accuracy.topK(scores, labels, 3)).isEqualTo(100);
  }

  @Test
  void shouldNotCountATieAsRight() {
    assertThat(Accuracy.topK(new float[] {1, 1}, new long[] {0}, 1)).isZero();
  }
}
