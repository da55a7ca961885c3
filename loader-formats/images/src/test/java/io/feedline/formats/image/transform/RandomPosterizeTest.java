package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomPosterizeTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomPosterize.of(3);
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomPosterize.of(3, probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomPosterize.of(3).bits()).isEqualTo(3);
    assertThat(RandomPosterize.of(3, 0.25))
        .hasToString("RandomPosterize(bits=3, probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomPosterize.of(3, 1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
    assertThatThrownBy(() -> RandomPosterize.of(9)).hasMessage("bits must be 0 to 8, was 9");
    assertThatThrownBy(() -> RandomPosterize.of(-1)).hasMessage("bits must be 0 to 8, was -1");
  }
}
