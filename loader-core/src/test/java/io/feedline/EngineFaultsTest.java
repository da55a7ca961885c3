package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.StrictAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.FailingDataset;
import io.feedline.data.LoaderException;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.LoaderClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings of an attack on the engine: each case hung, broke the loader down or misled. */
@Timeout(60)
class EngineFaultsTest {

  private static DataLoaderBuilder<Long> numbers(long size) {
    return DataLoader.builder(Dataset.of(size, index -> index));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldMakeSlotsAsTheyAreNeeded(int workers) {
    StrictAllocator allocator = new StrictAllocator();
    DataLoaderBuilder<Long> builder =
        numbers(8).numWorkers(workers).maxOpenBatches(65_536).allocator(allocator);
    try (DataLoader<Long> loader =
        workers == 0 ? builder.build() : builder.prefetch(65_536).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(Samples.rest(loader.iterator())).hasSize(8).isSorted();
      }
      // Two epochs are under way at most.
      assertThat(allocator.calls()).isBetween(1, 16);
    }
    allocator.assertAllGivenBack();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void shouldAskForABatchsMemoryOnce(int workers) {
    AtomicInteger asked = new AtomicInteger();
    HostAllocator none =
        bytes -> {
          asked.incrementAndGet();
          throw new OutOfMemoryError("Cannot reserve " + bytes + " bytes");
        };
    try (DataLoader<Long> loader =
        numbers(192).batchSize(64).numWorkers(workers).allocator(none).build()) {
      BatchIterator iterator = loader.iterator();
      for (int batch = 0; batch < 3; batch++) {
        LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
        assertThat(failure)
            .hasCauseInstanceOf(OutOfMemoryError.class)
            .hasMessageContainingAll("batch " + batch + " of epoch 0", "memory", "Cannot reserve");
        assertThat(failure.getSuppressed()).isEmpty();
      }
      assertThat(iterator.hasNext()).isFalse();
    }
    // Three batches, and those of the next epoch that were begun ahead of time.
    assertThat(asked.get()).isBetween(3, 6);
  }

  private static final class Mute extends Exception {
    private static final long serialVersionUID = 1L;
    private final boolean error;

    Mute(boolean error) {
      this.error = error;
    }

    @Override
    public String getMessage() {
      if (error) {
        throw new OutOfMemoryError("made up");
      }
      throw new UnsupportedOperationException("no message");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldDeliverAFailureThatHasNoWords(int workers) {
    assertOneBatchFails(
        new FailingDataset(12, new IOException("torn"), null), workers, "torn", "sample 5");
    for (boolean error : new boolean[] {false, true}) {
      assertOneBatchFails(
          new FailingDataset(12, new Mute(error), "five"), workers, Mute.class.getName(), "five");
    }
  }

  private static void assertOneBatchFails(Dataset<Long> dataset, int workers, String... words) {
    try (DataLoader<Long> loader = Samples.loader(dataset, 4, workers).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        BatchIterator iterator = loader.iterator();
        iterator.next().close();
        LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
        assertThat(failure.stage()).isEqualTo(LoaderException.Stage.READ);
        assertThat(failure.index()).hasValue(5);
        assertThat(failure).hasMessageContainingAll(words);
        iterator.next().close();
        assertThat(iterator.hasNext()).isFalse();
      }
    }
    try (DataLoader<Long> loader =
            Samples.loader(dataset, 4, workers).errorPolicy(ErrorPolicy.skip()).build();
        CapturedLog log = new CapturedLog()) {
      assertThat(Samples.rest(loader.iterator())).hasSize(11).doesNotContain(5L);
      assertThat(loader.quarantine().indices()).containsExactly(5);
      assertThat(log.lines("SKIP")).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,FAIL", "3,FAIL", "0,SUBSTITUTE", "3,SUBSTITUTE"})
  void shouldPrintAFewOfManyFailures(int workers, ErrorPolicy.Action action) {
    Dataset<Long> bad = Samples.numbers(64, index -> Samples.failIf(true, "bad file " + index));
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> loader =
            Samples.loader(bad, 64, workers)
                .errorPolicy(
                    action == ErrorPolicy.Action.FAIL
                        ? ErrorPolicy.fail()
                        : ErrorPolicy.substitute())
                .build()) {
      LoaderException failure =
          catchThrowableOfType(LoaderException.class, () -> loader.iterator().next());
      assertThat(failure.index()).hasValue(0);
      List<Throwable> others = List.of(failure.getSuppressed());
      if (action == ErrorPolicy.Action.FAIL) {
        assertThat(others).hasSize(4);
        assertThat(others.get(2)).hasMessageContaining("bad file 3");
        assertThat(others.get(3)).hasMessage("and 60 more").isNotInstanceOf(LoaderException.class);
      } else {
        // The substitutes that failed for the first sample, and then the other samples.
        assertThat(others).hasSize(8);
        assertThat(others.get(3)).hasMessage("and 7 more");
        assertThat(others.get(7)).hasMessage("and 60 more");
      }
      StringWriter printed = new StringWriter();
      failure.printStackTrace(new PrintWriter(printed, true));
      assertThat(printed.toString().lines().count()).isLessThan(400);
      assertThat(log.lines("bad file")).hasSize(action == ErrorPolicy.Action.FAIL ? 0 : 64);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,false", "2,false", "0,true", "2,true"})
  void shouldRefuseToBeIteratedByItsOwnSamples(int workers, boolean fresh) {
    AtomicReference<DataLoader<Long>> self = new AtomicReference<>();
    // Workers may come to the sample before the iterator is ours.
    CompletableFuture<Iterator<Batch>> outer = new CompletableFuture<>();
    Dataset<Long> dataset =
        Samples.numbers(
            6,
            index -> {
              if (index == 2) {
                (fresh ? self.get().iterator() : outer.join()).next().close();
              }
            });
    DataLoaderBuilder<Long> builder = Samples.loader(dataset, 2, workers).prefetchNextEpoch(false);
    try (DataLoader<Long> loader = builder.build()) {
      self.set(loader);
      BatchIterator iterator = loader.iterator();
      outer.complete(iterator);
      iterator.next().close();
      LoaderException failure = catchThrowableOfType(LoaderException.class, iterator::next);
      assertThat(failure.index()).hasValue(2);
      assertThat(failure.getCause())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is making a sample of the loader");
      iterator.next().close();
      assertThat(iterator.hasNext()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldLetASampleIterateAnotherLoader(int workers) {
    Dataset<Long> sums =
        Dataset.of(
            4,
            index -> {
              try (DataLoader<Long> inner = numbers(index + 1).numWorkers(workers).build()) {
                return Samples.rest(inner.iterator()).stream().mapToLong(each -> each).sum();
              }
            });
    try (DataLoader<Long> loader = Samples.loader(sums, 4, workers).build()) {
      assertThat(Samples.rest(loader.iterator())).containsExactly(0L, 1L, 3L, 6L);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldNotEndAnOuterLoopSilently(int workers) {
    try (DataLoader<Long> loader = numbers(6).batchSize(2).numWorkers(workers).build()) {
      Refusals.assertThrown(
          IllegalStateException.class,
          () -> {
            for (Batch outer : loader) {
              try (outer) {
                loader.forEach(Batch::close);
              }
            }
          },
          "epoch 0",
          "a newer iteration",
          "a loader of its own");
    }
  }

  @Test
  void shouldStillSayThatAFinishedIterationHasNoMore() {
    try (DataLoader<Long> loader = numbers(4).batchSize(2).numWorkers(1).build()) {
      BatchIterator whole = loader.iterator();
      Samples.take(whole, 2);
      BatchIterator closed = loader.iterator();
      closed.next().close();
      closed.close();
      loader.iterator().next().close();
      assertThat(whole.hasNext()).isFalse();
      assertThat(closed.hasNext()).isFalse();
    }
  }

  @SuppressWarnings("unchecked") // Nothing but the name is asked for.
  private static EpochSource<Long> starved() {
    AtomicBoolean asked = new AtomicBoolean();
    return (EpochSource<Long>)
        Proxy.newProxyInstance(
            EpochSource.class.getClassLoader(),
            new Class<?>[] {EpochSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("epoch")) {
                return 0L;
              }
              assertThat(method.getName()).isEqualTo("datasetName");
              if (!asked.getAndSet(true)) {
                throw new OutOfMemoryError("made up");
              }
              return "starved";
            });
  }

  @Test
  void shouldFailTheBatchWithTheCause() {
    IOException cause = new IOException("truncated");
    DataLoaderBuilder<Long> builder =
        DataLoader.builder(Dataset.of(4, index -> index)).errorPolicy(ErrorPolicy.skip());
    try (DataLoader<Long> loader = builder.batchSize(4).numWorkers(0).build()) {
      Slot slot = new Slot(HostAllocator.direct());
      BatchAssembly<Long> assembly =
          new BatchAssembly<>(
              starved(),
              BatchTaskInterleavingTest.dataset(4, index -> index).open(4),
              loader.options(),
              slot,
              new BatchTimes(null, new LoaderClock(System::nanoTime), 1));
      assembly.reserve(new long[4]);

      assembly.fail(2, LoaderException.Stage.READ, 2, cause);
      assembly.finish(4);

      assertThatThrownBy(assembly::entries)
          .isInstanceOf(LoaderException.class)
          .hasCause(cause)
          .hasMessageContaining("starved");
    }
  }
}
