package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomAutocontrastTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomAutocontrast.of();
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomAutocontrast.of(probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomAutocontrast.of(0.25)).hasToString("RandomAutocontrast(probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomAutocontrast.of(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
  }
}
