package io.feedline.examples.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestBatcherTest {

  private final List<Integer> sizes = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  private List<String> answers(List<Integer> batch) throws InterruptedException {
    sizes.add(batch.size());
    begun.countDown();
    go.await();
    if (batch.contains(13)) {
      throw new IllegalStateException("13 came");
    }
    return batch.stream().map(number -> "answer " + number).toList();
  }

  @Test
  void shouldAnswerTogetherWhatHasCome() throws Exception {
    try (RequestBatcher<Integer, String> batcher =
        new RequestBatcher<>(8, Duration.ZERO, this::answers)) {
      CompletableFuture<String> first = batcher.submit(0);
      begun.await();
      List<CompletableFuture<String>> others =
          IntStream.rangeClosed(1, 10).mapToObj(batcher::submit).toList();
      go.countDown();

      assertThat(first.get()).isEqualTo("answer 0");
      for (int i = 0; i < 10; i++) {
        assertThat(others.get(i).get()).isEqualTo("answer " + (i + 1));
      }
      assertThat(sizes).containsExactly(1, 8, 2);
    }
  }

  @Test
  void shouldWaitForOthersUntilABatchIsFull() throws Exception {
    go.countDown();
    try (RequestBatcher<Integer, String> batcher =
        new RequestBatcher<>(3, Duration.ofDays(1), this::answers)) {
      List<CompletableFuture<String>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(batcher.submit(i));
      }
      for (CompletableFuture<String> each : all) {
        assertThat(each.get()).startsWith("answer");
      }
      assertThat(sizes).containsExactly(3, 3);
    }
  }

  @Test
  void shouldFailTheRequestsOfABatchThatFailsAndAnswerOn() throws Exception {
    go.countDown();
    try (RequestBatcher<Integer, String> batcher =
        new RequestBatcher<>(1, Duration.ZERO, this::answers)) {
      assertThatThrownBy(() -> batcher.submit(13).get()).hasRootCauseMessage("13 came");
      assertThat(batcher.submit(14).get()).isEqualTo("answer 14");
    }
  }

  @Test
  void shouldRefuseRequestsWhenItIsClosed() throws Exception {
    RequestBatcher<Integer, String> batcher = new RequestBatcher<>(1, Duration.ZERO, this::answers);
    CompletableFuture<String> answering = batcher.submit(1);
    begun.await();
    CompletableFuture<String> waiting = batcher.submit(2);
    batcher.close();
    batcher.close();

    assertThatThrownBy(answering::get).hasCauseInstanceOf(InterruptedException.class);
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> batcher.submit(3).get())
        .hasCauseInstanceOf(RejectedExecutionException.class);
  }
}
