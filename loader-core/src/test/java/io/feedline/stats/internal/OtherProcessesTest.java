package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OtherProcessesTest {

  @Test
  void shouldCountTimeOnAProcessorAndNotIdleTime() {
    assertThat(OtherProcesses.busyTicks("cpu  100 20 3 9999 888 40 50 6 7 0"))
        .isEqualTo(100 + 20 + 3 + 40 + 50 + 6);
  }
}
