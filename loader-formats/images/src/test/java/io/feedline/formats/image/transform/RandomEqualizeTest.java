package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RandomEqualizeTest extends RandomOperationContract {

  @Override
  protected RandomOperation transform() {
    return RandomEqualize.of();
  }

  @Override
  RandomOperation transform(double probability) {
    return RandomEqualize.of(probability);
  }

  @Test
  void shouldTellItsConfiguration() {
    assertThat(RandomEqualize.of(0.25)).hasToString("RandomEqualize(probability=0.25)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomEqualize.of(1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("probability must be 0 to 1, was 1.5");
  }
}
