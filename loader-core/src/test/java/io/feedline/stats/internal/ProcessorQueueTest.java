package io.feedline.stats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessorQueueTest {

  @Test
  void shouldGiveWhatItReadLastOnceItIsClosed() {
    ProcessorQueue queue = new ProcessorQueue();
    long last = queue.getAsLong();

    queue.close();
    queue.close();

    for (int i = 0; i < 100; i++) {
      assertThat(queue.getAsLong()).isEqualTo(last);
    }
  }

  @Test
  void shouldBeClosedByAnotherThreadWhileItIsRead() {
    for (int i = 0; i < 100; i++) {
      try (ProcessorQueue queue = new ProcessorQueue()) {
        CompletableFuture<Void> closing = CompletableFuture.runAsync(queue::close);
        while (!closing.isDone()) {
          assertThat(queue.getAsLong()).isNotNegative();
        }
        closing.join();
      }
    }
  }
}
