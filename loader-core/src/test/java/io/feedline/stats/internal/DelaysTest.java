package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelaysTest {

  @Test
  void shouldLookLessOftenTheLongerOneWaits() {
    Delays delays = Delays.ofJvm();
    assertThat(delays.tick(0)).isEqualTo(10_000_000);
    assertThat(delays.tick(8_000_000_000L)).isEqualTo(1_000_000_000);
    assertThat(Delays.NONE.tick(8_000_000_000L)).isEqualTo(Long.MAX_VALUE);
  }
}
