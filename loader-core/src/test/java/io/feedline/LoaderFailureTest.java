package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.FailingDataset;
import io.feedline.data.LoaderException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever goes wrong reaches the consumer, at its turn, and nothing else is lost. */
@Timeout(60)
class LoaderFailureTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldDeliverAFailureAtItsTurnAndGoOn(int workers) {
    Dataset<Probe> dataset =
        Samples.described(
            Samples.probes(100, index -> Samples.failIf(index == 37, "truncated")),
            index -> "train/" + index + ".jpg");
    try (DataLoader<Probe> loader = Samples.loader(dataset, 10, workers).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {

        List<String> story =
            Samples.story(
                loader,
                batch -> "" + Probes.verify(batch)[0],
                e -> {
                  assertThat(e.index()).hasValue(37);
                  assertThat(e.stage()).isEqualTo(LoaderException.Stage.READ);
                  assertThat(e.dataset()).isEqualTo("described");
                  assertThat(e.description()).isEqualTo("train/37.jpg");
                  assertThat(e)
                      .hasCauseInstanceOf(IOException.class)
                      .hasMessageContainingAll(
                          "37", "train/37.jpg", "described", "truncated", e.worker());
                  return "failed";
                });
        assertThat(story)
            .containsExactly("0", "10", "20", "failed", "40", "50", "60", "70", "80", "90");
      }
      assertThat(loader.stats().failures()).isEqualTo(3);
      assertThat(loader.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldNameTheTypeOfACauseWhoseMessageSaysLittle() {
    String sentence = "the JPEG ends at byte 7";
    assertThat(failureOf(1, new ArithmeticException("/ by zero")))
        .hasMessageEndingWith(": java.lang.ArithmeticException: / by zero");
    assertThat(failureOf(1, new IllegalStateException("")))
        .hasMessageEndingWith(": java.lang.IllegalStateException: ");
    assertThat(failureOf(1, new ArithmeticException()))
        .hasMessageEndingWith(": java.lang.ArithmeticException");
    assertThat(failureOf(1, new IOException(sentence))).hasMessageContaining("-0: " + sentence);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldDeliverErrorsToo(int workers) {
    Dataset<Probe> dataset =
        Samples.probes(
            60,
            index -> {
              switch ((int) index) {
                case 5 -> throw new OutOfMemoryError("made up");
                case 15 -> overflow(0);
                case 25 -> throw new NoClassDefFoundError("org/example/Missing");
                case 35 -> throw new AssertionError("no");
                case 45 -> throw new InterruptedException("stray");
                default -> {}
              }
            });
    try (DataLoader<Probe> loader = Samples.loader(dataset, 10, workers).build()) {
      List<String> story =
          Samples.story(
              loader,
              batch -> "" + Probes.verify(batch)[0],
              e -> e.getCause().getClass().getSimpleName());
      if (workers == 0) {
        // It was this thread's to be interrupted.
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(story)
          .containsExactly(
              "OutOfMemoryError",
              "StackOverflowError",
              "NoClassDefFoundError",
              "AssertionError",
              "InterruptedException",
              "50");
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static long overflow(long depth) {
    return overflow(depth + 1) + 1;
  }

  @Test
  void shouldNameTheStageOfAFailure() {
    Dataset<Long> numbers = Dataset.of(4, index -> index);
    assertThat(failureOf(numbers.map(Samples.after(n -> Samples.failIf(true, "no")))).stage())
        .isEqualTo(LoaderException.Stage.TRANSFORM);
    assertThat(failureOf(numbers.map(number -> new Object())).stage())
        .isEqualTo(LoaderException.Stage.COLLATE);
    assertThat(failureOf(numbers.map(number -> null))).hasMessageContaining("null");
    ListCollator<Long> broken = (samples, batch) -> batch.tensor("a", null, Shape.SCALAR);
    assertThat(failureOf(DataLoader.builder(numbers).collator(broken)).stage())
        .isEqualTo(LoaderException.Stage.COLLATE);
  }

  private static LoaderException failureOf(Dataset<?> dataset) {
    return failureOf(DataLoader.builder(dataset));
  }

  private static LoaderException failureOf(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.build()) {
      return catchThrowableOfType(LoaderException.class, () -> loader.iterator().next());
    }
  }

  @Test
  void shouldTimeOutAndDeliverTheLateBatchAfterwards() {
    CountDownLatch release = new CountDownLatch(1);
    Dataset<Probe> dataset =
        Samples.probes(
            20,
            index -> {
              if (index == 3) {
                release.await();
              }
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 10, 2).timeout(Duration.ofMillis(30)).build()) {
      BatchIterator iterator = loader.iterator();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(iterator::next)
            .isInstanceOfSatisfying(
                LoaderException.class,
                e -> assertThat(e.stage()).isEqualTo(LoaderException.Stage.WAIT))
            .hasMessageContaining("timed out after 30 ms");
      }
      release.countDown();
      List<long[]> batches = new ArrayList<>();
      while (batches.size() < 2) {
        try (Batch batch = iterator.next()) {
          batches.add(Probes.verify(batch));
        } catch (LoaderException e) {
          assertThat(e.stage()).isEqualTo(LoaderException.Stage.WAIT);
        }
      }
      assertThat(Probes.flat(batches)).hasSize(20).isSorted();
      assertThat(loader.stats().total().waits().total())
          .as("those that timed out are part of the wait for their batch")
          .isGreaterThanOrEqualTo(Duration.ofMillis(3 * 30));
    }
  }

  @Test
  void shouldRestoreTheInterruptOfAWaitingConsumer() {
    CountDownLatch release = new CountDownLatch(1);
    Dataset<Probe> dataset = Samples.probes(10, index -> release.await());
    try (DataLoader<Probe> loader = Samples.loader(dataset, 10, 1).build()) {
      BatchIterator iterator = loader.iterator();
      Thread.currentThread().interrupt();
      assertThatThrownBy(iterator::next)
          .isInstanceOf(LoaderException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      release.countDown();
      assertThat(Probes.verify(iterator.next())).hasSize(10);
    }
  }

  @Test
  void shouldWakeAWaitingConsumerWhenTheLoaderIsClosed() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Dataset<Probe> dataset =
        Samples.probes(
            10,
            index -> {
              working.countDown();
              release.await();
            });
    DataLoader<Probe> loader = Samples.loader(dataset, 10, 2).build();
    FutureTask<Throwable> consumer =
        new FutureTask<>(() -> catchThrowable(() -> loader.iterator().next()));
    new Thread(consumer).start();
    working.await();
    Thread closer = new Thread(loader::close);
    closer.start();
    assertThat(consumer.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed; iterate it before it is closed, or build another");
    release.countDown();
    closer.join();
  }

  @Test
  void shouldSurviveADatasetThatClosesItsLoader() {
    AtomicReference<DataLoader<Probe>> self = new AtomicReference<>();
    DataLoader<Probe> loader =
        DataLoader.builder(Samples.probes(10, index -> self.get().close())).numWorkers(1).build();
    self.set(loader);
    Refusals.assertThrown(IllegalStateException.class, () -> Probes.indices(loader), "closed");
  }

  @Test
  void shouldDeliverWhatASamplerThrows() {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(10))
            .sampler(
                epoch -> {
                  throw new IllegalStateException("no order for epoch " + epoch);
                })
            .build()) {
      assertThatThrownBy(loader::iterator).hasMessage("no order for epoch 0");
    }
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(10))
            .sampler(epoch -> Samples.order(10, position -> position == 4 ? 4000 : position))
            .batchSize(5)
            .build()) {
      BatchIterator iterator = loader.iterator();
      Refusals.assertThrown(LoaderException.class, iterator::next, "4000");
      assertThat(Probes.verify(iterator.next())).containsExactly(5, 6, 7, 8, 9);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldTellOfSkippingWhereDataCannotBeRead(int workers) {
    String advice = "; to continue without such samples, set errorPolicy(ErrorPolicy.skip())";
    assertThat(failureOf(workers, new IOException("cut off")))
        .hasMessageContaining("reading sample 5 (index 5 of 9)")
        .hasMessageEndingWith("cut off" + advice);
    // Elsewhere it is more likely that the program is wrong.
    assertThat(failureOf(workers, new IllegalStateException("wrong")))
        .hasMessageEndingWith("wrong");
  }

  private static LoaderException failureOf(int workers, Exception failure) {
    Dataset<Long> dataset = new FailingDataset(9, failure, "index 5 of 9");
    try (DataLoader<Long> loader = Samples.loader(dataset, 3, workers).build()) {
      BatchIterator batches = loader.iterator();
      batches.next().close();
      LoaderException thrown = catchThrowableOfType(LoaderException.class, batches::next);
      // The batch behind the bad one is there all the same.
      assertThat(Samples.next(batches, 1)).containsExactly(6L, 7L, 8L);
      return thrown;
    }
  }
}
