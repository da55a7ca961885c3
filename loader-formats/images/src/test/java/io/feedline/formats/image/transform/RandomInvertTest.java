package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomInvertTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomInvert.of();
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomInvert.of(probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomInvert.of(0.25)).hasToString("RandomInvert(probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomInvert.of(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
  }
}
