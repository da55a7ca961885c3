package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void shouldHoldNoMoreAfterAThousandBrokenEpochs(int workers) {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.augmented(300))
            .batchSize(10)
            .shuffle(true)
            .numWorkers(workers)
            .build()) {
      Resources before = null;
      long hostBytes = 0;
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        BatchIterator iterator = loader.iterator();
        assertThat(iterator.epoch()).isEqualTo(epoch);
        try (Batch batch = iterator.next()) {
          assertThat(Probes.verify(batch)).hasSize(10);
        }
        if (epoch == EPOCHS / 10) {
          before = Resources.now();
        }
        hostBytes = Math.max(hostBytes, loader.stats().hostBytes());
      }
      assertConstant(before);
      LoaderOptions<Probe> options = loader.options();
      long slots = (long) options.prefetch() + options.maxOpenBatches();
      assertThat(hostBytes).isLessThanOrEqualTo(slots * 10L * (8 + 12 * 8 + 8 + 128));
      assertThat(Threads.named("feedline-" + options.name())).hasSizeLessThanOrEqualTo(workers);
      assertThat(loader.stats().batchesOpen()).isZero();
      assertThat(loader.stats().batches()).isEqualTo(EPOCHS);
    }
  }

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
        DataLoader.builder(Probes.augmented(sorted.length))
            .batchSize(4)
            .shuffle(true)
            .numWorkers(workers)
            .build()) {
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
      assertThat(loader.stats().failures()).isZero();
    }
  }

  /** Streams of a file's records, each with a descriptor of its own. */
  private static final class Records implements IterableDataset<Probe> {
    private final Path file;
    private final int records;
    private final AtomicInteger open = new AtomicInteger();

    Records(Path file, int records) {
      this.file = file;
      this.records = records;
    }

    @Override
    public int shards() {
      return 3;
    }

    @Override
    public SampleStream<Probe> open(int shard, long epoch) throws IOException {
      RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r");
      open.incrementAndGet();
      return new SampleStream<>() {
        private boolean closed;

        @Override
        public PendingSample<Probe> next() throws IOException {
          if (opened.getFilePointer() == 8L * records) {
            return null;
          }
          long number = opened.readLong();
          return context -> Probes.probe((long) shard * records + number);
        }

        @Override
        public void close() throws IOException {
          if (!closed) {
            closed = true;
            open.decrementAndGet();
            opened.close();
          }
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void shouldCloseTheStreamsOfBrokenEpochs(int workers, @TempDir Path directory) throws Exception {
    Path file = directory.resolve("records");
    try (RandomAccessFile written = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < 20; i++) {
        written.writeLong(i);
      }
    }
    assertThat(Files.size(file)).isEqualTo(160);
    Records dataset = new Records(file, 20);
    try (DataLoader<Probe> loader =
        DataLoader.builder(dataset)
            .batchSize(4)
            .interleave(2)
            .shuffleBuffer(6)
            .numWorkers(workers)
            .build()) {
      Resources before = null;
      for (int round = 0; round < EPOCHS; round++) {
        BatchIterator iterator = loader.iterator();
        for (int taken = 0; taken < round % 16 && iterator.hasNext(); taken++) {
          iterator.next().close();
        }
        // The epoch, and the one that is begun behind it.
        assertThat(dataset.open.get()).isLessThanOrEqualTo(6);
        if (round == EPOCHS / 10) {
          before = Resources.now();
        }
      }
      assertConstant(before);
    }
    assertThat(dataset.open).hasValue(0);
  }

  /** Lets slow samples end when others have got ahead: only their batch waits for them. */
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
        DataLoader.builder(dataset)
            .batchSize(20)
            .numWorkers(4)
            .prefetch(8)
            .prefetchNextEpoch(false);
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
  @ValueSource(ints = {0, 1, 4, 8})
  void shouldDeliverWhatIsLeftWhenErrorsRainInWorkers(int workers) {
    int size = 4000;
    Dataset<Probe> dataset =
        Samples.probes(
            size,
            index -> {
              SplittableRandom random = new SplittableRandom(index);
              switch (random.nextInt(60)) {
                case 0 -> throw new OutOfMemoryError("made up");
                case 1 -> recurse(1);
                case 2 -> throw new NoClassDefFoundError("org/example/Missing");
                default -> {}
              }
            });
    long[] failing =
        LongStream.range(0, size)
            .filter(index -> new SplittableRandom(index).nextInt(60) < 3)
            .map(index -> index / 10)
            .distinct()
            .toArray();
    try (DataLoader<Probe> loader =
        DataLoader.builder(dataset)
            .batchSize(10)
            .numWorkers(workers)
            .errorPolicy(ErrorPolicy.skip())
            .build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        BatchIterator iterator = loader.iterator();
        List<Long> failed = new ArrayList<>();
        long batches = 0;
        while (iterator.hasNext()) {
          try (Batch batch = iterator.next()) {
            assertThat(Probes.verify(batch)).startsWith(batch.number() * 10).hasSize(10);
            batches++;
          } catch (LoaderException e) {
            assertThat(e.getCause()).isInstanceOf(Error.class);
            failed.add(e.index().getAsLong() / 10);
          }
        }
        assertThat(failed).containsExactly(Arrays.stream(failing).boxed().toArray(Long[]::new));
        assertThat(batches + failed.size()).isEqualTo(size / 10);
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static long recurse(long depth) {
    return recurse(depth + 1) + 1;
  }

  @Test
  void shouldSurviveTheOutOfMemoryErrorOfAnAllocator() {
    AtomicInteger allocations = new AtomicInteger();
    HostAllocator scarce =
        bytes -> {
          if (allocations.incrementAndGet() % 3 == 2) {
            throw new OutOfMemoryError("no more pinned memory");
          }
          return HostAllocator.direct().allocate(bytes);
        };
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(400))
            .batchSize(10)
            .numWorkers(4)
            .allocator(scarce)
            .build()) {
      BatchIterator iterator = loader.iterator();
      int delivered = 0;
      int failed = 0;
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          Probes.verify(batch);
          delivered++;
        } catch (LoaderException e) {
          assertThat(e).hasCauseInstanceOf(OutOfMemoryError.class);
          failed++;
        }
      }
      assertThat(failed).isPositive();
      assertThat(delivered).isGreaterThan(30);
      assertThat(delivered + failed).isEqualTo(40);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void shouldKeepOpenBatchesIntactUnderASlowConsumer(int workers) throws Exception {
    int open = 5;
    SplittableRandom random = new SplittableRandom(workers);
    ExecutorService others = Executors.newFixedThreadPool(2);
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(6000))
            .batchSize(12)
            .numWorkers(workers)
            .prefetch(3)
            .maxOpenBatches(open)
            .build()) {
      Deque<Batch> held = new ArrayDeque<>();
      Deque<Future<?>> closing = new ArrayDeque<>();
      long expected = 0;
      for (Batch batch : loader) {
        held.add(batch);
        assertThat(batch.number()).isEqualTo(expected++);
        // Some are closed by other threads, each when it pleases.
        while (held.size() + closing.size() >= open) {
          if (!held.isEmpty() && random.nextBoolean()) {
            Batch oldest = held.poll();
            closing.add(others.submit(() -> verifyAndClose(oldest)));
          } else if (!closing.isEmpty()) {
            closing.poll().get();
          } else {
            verifyAndClose(held.poll());
          }
        }
      }
      for (Future<?> one : closing) {
        one.get();
      }
      held.forEach(LoaderStressTest::verifyAndClose);
      assertThat(expected).isEqualTo(500);
      assertThat(loader.stats().batchesOpen()).isZero();
    } finally {
      others.shutdown();
    }
  }

  private static void verifyAndClose(Batch batch) {
    assertThat(Probes.verify(batch)).startsWith(batch.number() * 12).hasSize(12);
    batch.close();
  }

  @Test
  void shouldEndWhateverItIsDoingWhenItIsClosed() throws Exception {
    for (int round = 0; round < EPOCHS / 10; round++) {
      int patience = round * 7 % 300;
      AtomicInteger made = new AtomicInteger();
      CountDownLatch enough = new CountDownLatch(1);
      Dataset<Probe> dataset =
          Samples.probes(
              1_000_000,
              index -> {
                if (made.incrementAndGet() > patience) {
                  enough.countDown();
                }
              });
      DataLoader<Probe> loader =
          DataLoader.builder(dataset).batchSize(8).numWorkers(3).name("closing").build();
      Thread closer =
          new Thread(
              () -> {
                try {
                  enough.await();
                  loader.close();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              "closer");
      closer.start();
      Refusals.assertThrown(IllegalStateException.class, () -> Probes.indices(loader), "closed");
      closer.join();
      assertThat(loader.stats().hostBytes()).isZero();
      assertThat(Threads.named("feedline-closing")).isEmpty();
    }
  }
}
