package io.feedline.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SequentialSamplerTest extends SamplerContract {

  @Override
  protected Sampler sampler(long seed) {
    return SequentialSampler.of(size());
  }

  @Override
  protected long size() {
    return 100;
  }

  @Override
  protected boolean random() {
    return false;
  }

  @Override
  protected long[] golden() {
    return new long[] {0, 1, 2, 3};
  }

  @Test
  void shouldGiveAnEmptyEpochOfNothing() {
    assertThat(SequentialSampler.of(0).order(0).size()).isZero();
  }

  @Test
  void shouldRejectANegativeSize() {
    assertThatThrownBy(() -> SequentialSampler.of(-3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-3");
  }
}
