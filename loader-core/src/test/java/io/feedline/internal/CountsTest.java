package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountsTest {

  @Test
  void shouldWriteTheSingularForOneAlone() {
    assertThat(Counts.of(1, "batch")).isEqualTo("1 batch");
    assertThat(Counts.of(0, "batch")).isEqualTo("0 batches");
    assertThat(Counts.of(2, "class")).isEqualTo("2 classes");
    assertThat(Counts.of(3, "failed sample")).isEqualTo("3 failed samples");
    assertThat(Counts.noun(1, "step")).isEqualTo("step");
    assertThat(Counts.noun(1.5, "step")).isEqualTo("steps");
  }
}
