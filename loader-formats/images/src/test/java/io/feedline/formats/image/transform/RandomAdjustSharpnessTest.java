package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomAdjustSharpnessTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomAdjustSharpness.of(2);
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomAdjustSharpness.of(2, probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomAdjustSharpness.of(2).sharpnessFactor()).isEqualTo(2);
    assertThat(RandomAdjustSharpness.of(2, 0.25))
        .hasToString("RandomAdjustSharpness(sharpnessFactor=2.0, probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomAdjustSharpness.of(2, 1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
    assertThatThrownBy(() -> RandomAdjustSharpness.of(-0.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sharpnessFactor")
        .hasMessageContaining("-0.5");
  }
}
