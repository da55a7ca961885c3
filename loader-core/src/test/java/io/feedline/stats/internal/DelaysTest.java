package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DelaysTest {

  @Test
  void shouldLookLessOftenTheLongerOneWaits() {
    Delays delays = Delays.ofJvm();
    assertThat(delays.tick(0)).isEqualTo(10_000_000);
    assertThat(delays.tick(8_000_000_000L)).isEqualTo(1_000_000_000);
    assertThat(Delays.NONE.watch().end()).isZero();
    assertThat(Delays.NONE.tick(8_000_000_000L)).isEqualTo(Long.MAX_VALUE);
  }

  /** The thread that rings is in no group that a caller may wait for, and ends by itself. */
  @Test
  void shouldRingBesideAThreadThatWorks() throws InterruptedException {
    CountDownLatch rung = new CountDownLatch(3);
    AtomicReference<Thread> ringing = new AtomicReference<>();
    Delays counting =
        new Delays() {
          @Override
          public long tick(long waited) {
            return 1_000_000;
          }

          @Override
          public long late(long nanos) {
            ringing.set(Thread.currentThread());
            rung.countDown();
            return 5;
          }
        };
    Heartbeat heartbeat = new Heartbeat(counting);
    rung.await();

    assertThat(ringing.get().getThreadGroup().getParent()).isNull();
    assertThat(ringing.get().isDaemon()).isTrue();
    assertThat(heartbeat.end())
        .as("three or more times, and at the end")
        .isGreaterThanOrEqualTo(20);
  }
}
