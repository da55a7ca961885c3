package io.feedline.formats.remote.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestPolicyTest {

  @Test
  void shouldDoublePausesUpToTheLongest() {
    RequestPolicy policy = RequestPolicy.DEFAULT;

    assertThat(policy.pauseNanos(2)).isEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(policy.pauseNanos(3)).isEqualTo(Duration.ofMillis(200).toNanos());
    assertThat(policy.pauseNanos(8)).isEqualTo(Duration.ofMillis(6400).toNanos());
    assertThat(policy.pauseNanos(9)).isEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(policy.pauseNanos(1000)).isEqualTo(Duration.ofSeconds(10).toNanos());
  }

  @Test
  void shouldAllowLongerForMoreBytes() {
    RequestPolicy policy = RequestPolicy.DEFAULT;

    assertThat(policy.bodyNanos(0)).isEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(policy.bodyNanos(3 << 20)).isEqualTo(Duration.ofSeconds(13).toNanos());
    assertThat(policy.firstByteNanos(0)).isEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(policy.firstByteNanos(2 << 20)).isEqualTo(Duration.ofSeconds(26).toNanos());
  }
}
