package io.feedline.formats.remote.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of requests in flight at once. */
class AdaptiveLimitTest {

  @Test
  void shouldLetRequestsWaitInTheirOrder() {
    AdaptiveLimit limit = new AdaptiveLimit(2);
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      limit.run(() -> sent.add(number));
    }
    assertThat(sent).containsExactly(0, 1);
    limit.release();
    assertThat(sent).containsExactly(0, 1, 2);
    limit.release();
    limit.release();
    assertThat(sent).containsExactly(0, 1, 2, 3, 4);
    assertThat(limit.inFlight()).isEqualTo(2);
  }

  @Test
  void shouldPassOverWhatIsNotWantedAnymore() {
    AdaptiveLimit limit = new AdaptiveLimit(1);
    List<Integer> sent = new ArrayList<>();
    limit.run(() -> sent.add(0));
    for (int i = 0; i < 100_000; i++) {
      limit.run(() -> false);
    }
    limit.run(() -> sent.add(1));
    limit.release();

    assertThat(sent).containsExactly(0, 1);
    assertThat(limit.inFlight()).isEqualTo(1);
  }

  @Test
  void shouldCountRefusalsOfOneMomentOnce() {
    AdaptiveLimit limit = new AdaptiveLimit(10);
    int time = limit.time();
    for (int i = 0; i < 10; i++) {
      limit.slower(time);
    }
    assertThat(limit.now()).isEqualTo(7);
    limit.slower(limit.time());
    assertThat(limit.now()).isEqualTo(4);
    for (int i = 0; i < 100; i++) {
      limit.slower(limit.time());
    }
    assertThat(limit.now()).isEqualTo(1);
    for (int i = 0; i < 200; i++) {
      limit.faster();
    }
    assertThat(limit.now()).isEqualTo(10);
  }
}
