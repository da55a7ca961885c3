package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequentialSamplerTest extends SamplerContract {
  SequentialSamplerTest() {
    super(seed -> SequentialSampler.of(100), 100, 0, 1, 2, 3);
  }

  @Override
  protected boolean random() {
    return false;
  }

  @Test
  void shouldGiveAnEmptyEpochOfNothing() {
    assertThat(SequentialSampler.of(0).order(0).size()).isZero();
  }

  @Test
  void shouldRejectANegativeSize() {
    assertRefused(() -> SequentialSampler.of(-3), "-3");
  }
}
