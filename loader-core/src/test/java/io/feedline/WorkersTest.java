package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of a loader's threads. */
@Timeout(30)
class WorkersTest {

  /** None of them ends before all are interrupted. */
  @Test
  void shouldInterruptAllBeforeItWaitsForOne() {
    CountDownLatch begun = new CountDownLatch(6);
    CountDownLatch interrupted = new CountDownLatch(6);
    Workers some = new Workers("some");
    Workers others = new Workers("others");
    for (Workers each : new Workers[] {some, others}) {
      each.start(
          3,
          number -> {
            begun.countDown();
            awaitInterrupt();
            interrupted.countDown();
            awaitAll(interrupted);
          });
    }
    awaitAll(begun);
    Workers.join(Duration.ofMillis(1), Duration.ofMinutes(1), some, others);
    assertThat(interrupted.getCount()).isZero();
    assertThat(Threads.named("feedline-some")).isEmpty();
    assertThat(Threads.named("feedline-others")).isEmpty();
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException expected) {
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted once more", e);
    }
  }
}
