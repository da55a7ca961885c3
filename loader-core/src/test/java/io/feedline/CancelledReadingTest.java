package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.Dataset.StoppingRule;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.Strategy;
import io.feedline.packing.TokenSequence;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Loops that read on without a sample end when their epoch is left, when the loader is closed, and
 * when the thread is interrupted that reads.
 */
@Timeout(60)
class CancelledReadingTest {

  private static final class Endless implements IterableDataset<Long> {
    private final Semaphore underway = new Semaphore(0);
    private final Semaphore closed = new Semaphore(0);

    @Override
    public SampleStream<Long> open(int shard, long epoch) {
      return new SampleStream<>() {
        private long read;

        @Override
        public PendingSample<Long> next() {
          if (++read == 2000) {
            underway.release();
          }
          return PendingSample.of(read);
        }

        @Override
        public void close() {
          closed.release();
        }
      };
    }
  }

  private record Loop(
      String name,
      Function<IterableDataset<Long>, IterableDataset<?>> stream,
      Function<DataLoaderBuilder<Object>, DataLoaderBuilder<Object>> options) {

    static Loop of(String name, Function<IterableDataset<Long>, IterableDataset<?>> stream) {
      return new Loop(name, stream, options -> options);
    }

    @SuppressWarnings("unchecked") // A dataset only gives samples.
    DataLoader<Object> loader(Endless source, int workers) {
      IterableDataset<Object> dataset = (IterableDataset<Object>) stream.apply(source);
      return options
          .apply(DataLoader.builder(dataset))
          .numWorkers(workers)
          .collator((samples, batch) -> batch.values("sample", samples))
          .build();
    }
  }

  private static IterableDataset<?> packed(IterableDataset<Long> source, Strategy strategy) {
    IterableDataset<TokenSequence> none = source.map(number -> TokenSequence.of(new int[0]));
    return TokenPacking.builder(8).strategy(strategy).build().pack(none);
  }

  private static IterableDataset<Long> nothing(IterableDataset<Long> source) {
    return source.filter(number -> false);
  }

  private static Stream<Arguments> loops() {
    return Stream.of(
            Loop.of("filter", CancelledReadingTest::nothing),
            Loop.of("flatMap", source -> source.flatMap(number -> List.of())),
            Loop.of("skip", source -> source.skip(1_000_000_000_000L)),
            Loop.of("skip behind filter", source -> nothing(source).skip(5).take(3)),
            Loop.of("rows of one length", source -> packed(source, Strategy.CONCATENATE)),
            Loop.of("bins", source -> packed(source, Strategy.BEST_FIT_DECREASING)),
            Loop.of(
                "mixture",
                source ->
                    IterableDataset.mix(
                        List.of(nothing(source)), new double[] {1}, 0, StoppingRule.ALL_EXHAUSTED)),
            Loop.of("chain", source -> IterableDataset.chain(List.of(nothing(source)))),
            new Loop(
                "shuffle buffer",
                source -> source,
                options -> options.shuffleBuffer(Integer.MAX_VALUE)),
            new Loop(
                "shuffle buffer behind filter",
                CancelledReadingTest::nothing,
                options -> options.shuffleBuffer(10)),
            new Loop(
                "samples of other ranks",
                source -> source,
                options -> options.distributed(0, Integer.MAX_VALUE)))
        .map(Arguments::of);
  }

  /** With one worker, which is needed for the next epoch. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("loops")
  void shouldLeaveAnEpochThatIsReadWithoutASample(Loop loop) throws Exception {
    Endless source = new Endless();
    try (DataLoader<Object> loader = loop.loader(source, 1)) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(loader.iterator()).isNotNull();
        source.underway.acquire();
      }
      source.closed.acquire(2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("loops")
  @ExpectedLog({})
  void shouldCloseALoaderThatReadsWithoutASample(Loop loop) throws Exception {
    Endless source = new Endless();
    DataLoader<Object> loader = loop.loader(source, 2);
    BatchIterator iterator = loader.iterator();
    source.underway.acquire();
    // A worker that goes on is a warning, which fails the test.
    loader.close();
    source.closed.acquire();
    Refusals.assertThrown(IllegalStateException.class, iterator::hasNext, "is closed");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("loops")
  void shouldEndByAnInterruptWhereTheConsumerReadsItself(Loop loop) throws Exception {
    Endless source = new Endless();
    try (DataLoader<Object> loader = loop.loader(source, 0)) {
      shouldEndByAnInterrupt(loader, source.underway, new Semaphore(0));
    }
  }

  private static void shouldEndByAnInterrupt(
      DataLoader<?> loader, Semaphore underway, Semaphore interrupted) throws Exception {
    FutureTask<Boolean> consumer =
        new FutureTask<>(
            () -> {
              assertThatThrownBy(loader.iterator()::hasNext)
                  .isInstanceOf(LoaderException.class)
                  .hasCauseInstanceOf(InterruptedException.class);
              return Thread.interrupted();
            });
    Thread thread = new Thread(consumer, "consumer");
    thread.start();
    underway.acquire();
    thread.interrupt();
    interrupted.release();
    assertThat(consumer.get()).as("the interrupt is kept").isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("loops")
  void shouldEndByClosingWhereTheConsumerReadsItself(Loop loop) throws Exception {
    Endless source = new Endless();
    DataLoader<Object> loader = loop.loader(source, 0);
    FutureTask<Void> consumer =
        new FutureTask<>(
            () -> {
              BatchIterator iterator = loader.iterator();
              Refusals.assertThrown(IllegalStateException.class, iterator::hasNext, "is closed");
              return null;
            });
    new Thread(consumer, "consumer").start();
    source.underway.acquire();
    loader.close();
    consumer.get();
  }

  private static final class EmptyShards implements IterableDataset<Long> {
    private final Semaphore underway = new Semaphore(0);
    private final Semaphore left = new Semaphore(0);
    private final AtomicInteger opened = new AtomicInteger();

    @Override
    public int shards() {
      return 100_000;
    }

    @Override
    public SampleStream<Long> open(int shard, long epoch) throws InterruptedException {
      if (epoch == 0 && opened.incrementAndGet() == 1000) {
        underway.release();
        left.acquire();
      }
      return SampleStream.of(List.<Long>of().iterator());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldOpenNoMoreShardsOfAnEpochThatIsLeft(boolean joined) throws Exception {
    EmptyShards source = new EmptyShards();
    try (DataLoader<Long> loader =
        DataLoader.builder(joined ? source.take(3) : source).numWorkers(1).build()) {
      assertThat(loader.iterator()).isNotNull();
      source.underway.acquire();
      BatchIterator next = loader.iterator();
      source.left.release();
      assertThat(next.hasNext()).isFalse();
      assertThat(source.opened).hasValue(1000);
    }
  }

  /** A state far ahead, of a source that cannot seek. */
  @ParameterizedTest
  @MethodSource("far")
  void shouldLeaveAnEpochThatIsResumedFarAhead(
      Function<DataLoaderBuilder<Long>, DataLoaderBuilder<Long>> options) throws Exception {
    Endless source = new Endless();
    DataLoader<Long> loader = options.apply(DataLoader.builder(source)).numWorkers(1).build();
    for (int round = 0; round < 3; round++) {
      loader.resume(ChangedState.with(loader.state(), "position", 1L << 50));
      assertThat(loader.iterator()).isNotNull();
      source.underway.acquire();
    }
    loader.close();
    source.closed.acquire(3);
  }

  private static Stream<Arguments> far() {
    return Stream.<Function<DataLoaderBuilder<Long>, DataLoaderBuilder<Long>>>of(
            options -> options,
            options -> options.shuffleBuffer(8),
            options -> options.distributed(1, 2))
        .map(Arguments::of);
  }

  @Test
  @ExpectedLog("broken")
  void shouldEndByAnInterruptWhereEachSampleIsSkipped() throws Exception {
    Endless source = new Endless();
    Semaphore broken = new Semaphore(0);
    Semaphore interrupted = new Semaphore(0);
    IterableDataset<Long> failing =
        source.map(
            number -> {
              if (number == 20) {
                broken.release();
                interrupted.acquireUninterruptibly();
              }
              throw new IOException("broken");
            });
    try (DataLoader<Long> loader =
        DataLoader.builder(failing).numWorkers(0).errorPolicy(ErrorPolicy.skip()).build()) {
      shouldEndByAnInterrupt(loader, broken, interrupted);
    }
  }

  @Test
  @ExpectedLog({})
  void shouldTryNoFurtherSubstituteWhenTheLoaderIsClosed() throws Exception {
    Semaphore waiting = new Semaphore(0);
    Semaphore never = new Semaphore(0);
    AtomicInteger substitutes = new AtomicInteger();
    Dataset<Long> dataset =
        Samples.numbers(
            100,
            index -> {
              Samples.failIf(index == 0, "broken");
              substitutes.incrementAndGet();
              waiting.release();
              never.acquire();
            });
    DataLoader<Long> loader =
        Samples.loader(dataset.subset(new long[] {0, 1}), 1, 1)
            .errorPolicy(ErrorPolicy.substitute())
            .build();
    assertThat(loader.iterator()).isNotNull();
    waiting.acquire();
    // A worker that goes on is a warning, which fails the test.
    loader.close();
    assertThat(substitutes).hasValue(1);
  }

  /** Both read all samples in the thread that asks. */
  @Test
  void shouldEndByAnInterruptWhereAWholeDatasetIsLookedAt() {
    Dataset<TokenSequence> sequences = Dataset.of(3, i -> TokenSequence.of(new int[2]));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> TokenPacking.lengths(sequences))
        .isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> sequences.filter(sequence -> true).size())
        .isInstanceOf(LoaderException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
