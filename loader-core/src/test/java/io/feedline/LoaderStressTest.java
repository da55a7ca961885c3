package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.data.Shards;
import io.feedline.stats.LoaderStats;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Loaders under conditions that last: nothing accumulates, nothing is lost, no consumer starves.
 */
@Timeout(600)
class LoaderStressTest {

  /** The number of repetitions; {@code -Pstress} runs more. */
  private static final int EPOCHS = Integer.getInteger("stress.epochs", Strength.of(1000));

  /** The tolerated change in threads by other tests and the JVM itself. */
  private static final int THREADS_OF_OTHERS = 4;

  private static final int DESCRIPTORS_OF_OTHERS = 16;

  private static void assertConstant(Resources before) {
    Resources after = Resources.now();
    assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + THREADS_OF_OTHERS);
    assertThat(after.descriptors())
        .isLessThanOrEqualTo(before.descriptors() + DESCRIPTORS_OF_OTHERS);
    // Garbage of earlier tests may have been collected since; a slot's size is never added.
    assertThat(after.directBytes()).isLessThanOrEqualTo(before.directBytes() + (64 << 10));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 8})
  void shouldStartAfreshAfterABreakAtEachBatchAThousandTimes(int workers) {
    int batches = 12;
    long[] sorted = LongStream.range(0, 4L * batches).toArray();
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.augmented(sorted.length), 4, workers).shuffle(true).build()) {
      Resources before = null;
      for (int round = 0; round < EPOCHS; round++) {
        BatchIterator broken = loader.iterator();
        Samples.take(broken, round % (batches + 1));
        long[] whole = Probes.flat(Probes.indices(loader));
        Arrays.sort(whole);
        assertThat(whole).isEqualTo(sorted);
        if (round == EPOCHS / 10) {
          before = Resources.now();
        }
      }
      assertConstant(before);
      LoaderStats stats = loader.stats();
      assertThat(stats.failures()).isZero();
      assertThat(stats.batchesOpen()).isZero();
      LoaderOptions<Probe> options = loader.options();
      assertThat(stats.hostBytes())
          .isLessThanOrEqualTo(options.slots() * 4L * (8 + 12 * 8 + 8 + 128));
      assertThat(Threads.named("feedline-" + options.name())).hasSizeLessThanOrEqualTo(workers);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void shouldCloseTheStreamsOfBrokenEpochs(int workers) {
    Shards dataset = Shards.of(20, 20, 20);
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 4, workers).interleave(2).shuffleBuffer(6).build()) {
      Resources before = null;
      for (int round = 0; round < EPOCHS; round++) {
        BatchIterator iterator = loader.iterator();
        Probes.each(iterator, round % 16, Batch::number);
        if (round == EPOCHS / 10) {
          before = Resources.now();
        }
      }
      assertConstant(before);
    }
    dataset.assertAllClosed();
    // Of the epoch, of the epoch before that is left, and of the epoch behind it.
    assertThat(dataset.mostOpen()).isLessThanOrEqualTo(6);
  }

  private static final class Progress {
    private final BitSet finished = new BitSet();

    synchronized void finish(int index) {
      finished.set(index);
      notifyAll();
    }

    /**
     * Waits until all samples from {@code from} to {@code to} (exclusive) have finished. They are
     * named and not counted: those that finish before a sample has begun to wait count as well.
     */
    synchronized void awaitAll(int from, int to) throws InterruptedException {
      while (finished.nextClearBit(from) < to) {
        wait();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLetOneSlowSampleInAHundredDelayItsOwnBatchAlone(boolean inOrder) {
    int size = 5000;
    Progress progress = new Progress();
    Dataset<Probe> dataset =
        Samples.probes(
            size,
            index -> {
              int position = Math.toIntExact(index);
              if (position % 100 == 13) {
                // Within the eight batches, or the window of six, that may be begun meanwhile.
                progress.awaitAll(position + 1, Math.min(position + 51, size));
              }
              progress.finish(position);
            });
    DataLoaderBuilder<Probe> builder =
        Samples.loader(dataset, 20, 4).prefetch(8).prefetchNextEpoch(false);
    if (!inOrder) {
      builder.inOrder(false).reorderWindow(6);
    }
    try (DataLoader<Probe> loader = builder.build()) {
      long[] delivered = Probes.flat(Probes.indices(loader));
      if (!inOrder) {
        Arrays.sort(delivered);
      }
      assertThat(delivered).isEqualTo(LongStream.range(0, size).toArray());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldStopTheThreadsOfALoaderThatIsForgotten(int workers) throws Exception {
    List<Thread> threads = begin("forgotten-" + workers, workers);
    assertThat(threads).hasSize(workers);
    for (Thread thread : threads) {
      assertThat(Garbage.ends(thread)).isTrue();
    }
  }

  private static List<Thread> begin(String name, int workers) {
    DataLoader<Probe> loader = Samples.loader(Probes.dataset(1000), 10, workers).name(name).build();
    BatchIterator iterator = loader.iterator();
    Samples.take(iterator, 2);
    return Threads.named("feedline-" + name);
  }

  @Test
  void shouldKeepTheBatchOfALoaderThatIsForgotten() throws Exception {
    Batch batch = batchOf("bereft");
    for (Thread thread : Threads.named("feedline-bereft")) {
      assertThat(Garbage.ends(thread)).isTrue();
    }
    assertThat(Probes.verify(batch)).startsWith(0, 1, 2).hasSize(10);
    batch.close();
  }

  private static Batch batchOf(String name) {
    return Samples.loader(Probes.dataset(1000), 10, 2).name(name).build().iterator().next();
  }

  @Test
  void shouldKeepALoaderWhoseIteratorIsInUse() throws Exception {
    BatchIterator iterator = Samples.loader(Probes.dataset(200), 10, 2).build().iterator();
    long batches = 0;
    while (iterator.hasNext()) {
      System.gc();
      try (Batch batch = iterator.next()) {
        assertThat(Probes.verify(batch)).startsWith(10 * batches++);
      }
    }
    assertThat(batches).isEqualTo(20);
  }

  @Test
  void shouldKeepALoaderWhoseConsumerWaits() {
    // Often enough for next() to be compiled: then not even its own frame keeps the iterator.
    for (int round = 0; round < 2; round++) {
      try (DataLoader<Probe> loader =
          DataLoader.builder(Probes.dataset(20_000)).numWorkers(1).build()) {
        assertThat(Probes.indices(loader)).hasSize(20_000);
      }
    }
    AtomicReference<Reference<?>> loader = new AtomicReference<>();
    AtomicInteger collected = new AtomicInteger();
    Dataset<Probe> collecting =
        Samples.probes(
            1,
            index -> {
              for (int attempt = 0; attempt < 3; attempt++) {
                System.gc();
              }
              if (loader.get().refersTo(null)) {
                collected.incrementAndGet();
              }
            });
    for (int round = 0; round < 5; round++) {
      try (Batch batch = iteratorOf(collecting, loader).next()) {
        assertThat(Probes.verify(batch)).containsExactly(0);
      }
    }
    assertThat(collected).hasValue(0);
  }

  private static BatchIterator iteratorOf(
      Dataset<Probe> dataset, AtomicReference<Reference<?>> observed) {
    DataLoader<Probe> loader =
        DataLoader.builder(dataset).numWorkers(1).prefetchNextEpoch(false).build();
    observed.set(new WeakReference<>(loader));
    return loader.iterator();
  }
}
