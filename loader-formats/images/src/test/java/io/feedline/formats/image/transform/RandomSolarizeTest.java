package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomSolarizeTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomSolarize.of(100);
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomSolarize.of(100, probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomSolarize.of(100).threshold()).isEqualTo(100);
    assertThat(RandomSolarize.of(100, 0.25))
        .hasToString("RandomSolarize(threshold=100.0, probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomSolarize.of(100, 1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
    assertThatThrownBy(() -> RandomSolarize.of(Double.NaN)).hasMessageEndingWith("was NaN");
  }
}
