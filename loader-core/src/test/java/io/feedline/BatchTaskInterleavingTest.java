package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.HostAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.WorldInfo;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.WorkerClock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All interleavings of the steps of a few workers and a consumer that cancels, on the real {@link
 * BatchTask}: each claimed row is filled once, the batch is finished once, its slot is recycled
 * once.
 *
 * <p>A step is a claim, the making of a sample up to its middle, the rest of it, the counting of
 * the samples that a worker has made, or the cancellation; in the middle of a sample any others may
 * take steps. Other orders of the atomic operations within a step are left to {@code
 * BatchTaskStress}.
 */
class BatchTaskInterleavingTest {

  /** The number of assembled batches. */
  private static final AtomicInteger COLLATED = new AtomicInteger();

  static final LoaderOptions<Long> INDEXED =
      options(DataLoader.builder(Dataset.of(0, index -> index)));
  static final LoaderOptions<Long> STREAMED =
      options(DataLoader.builder(IterableDataset.of(List.<Long>of())));

  private static LoaderOptions<Long> options(DataLoaderBuilder<Long> builder) {
    try (DataLoader<Long> loader =
        builder
            .numWorkers(0)
            .collator(
                (samples, batch) -> {
                  COLLATED.incrementAndGet();
                  batch.values("n", samples);
                })
            .build()) {
      return loader.options();
    }
  }

  static Engine<Long> engine(LoaderOptions<Long> options) {
    Dataset<Long> none = Dataset.of(0, index -> index);
    return new Engine<>(
        options,
        IndexedEpochs.of(none, SequentialSampler.of(0), 1, false),
        new LoaderClock(),
        null);
  }

  /** An epoch of one batch. */
  static IndexedEpoch<Long> dataset(int rows, Dataset.Getter<Long> samples) {
    BatchSampler batches = BatchSampler.of(SequentialSampler.of(rows), rows, false);
    return new IndexedEpoch<>(
        new RemainingBatches<>(
            Dataset.<Long>of(rows, samples),
            new RankOrders(batches::order, epoch -> List.of(), false),
            batches.order(0),
            0,
            0,
            Set.of()),
        null);
  }

  /** An epoch of a stream of consecutive numbers. */
  static EpochSource<Long> stream(
      int length, int capacity, boolean dropLast, Dataset.Getter<Long> samples) {
    Iterator<Long> numbers = LongStream.range(0, length).iterator();
    SampleStream<Long> stream =
        new SampleStream<>() {
          @Override
          public PendingSample<Long> next() {
            if (!numbers.hasNext()) {
              return null;
            }
            long number = numbers.next();
            return context -> samples.get(number);
          }

          @Override
          public void close() {}
        };
    return new StreamedEpoch<>(
        new StreamedEpochs<>(
            IterableDataset.of(() -> numbers),
            capacity,
            dropLast,
            new ShardMixing(false, 0, 1, 0),
            WorldInfo.SINGLE,
            true,
            false),
        new ShardReader<>((shard, epoch) -> stream, 0, new int[] {0}, 1),
        0,
        EpochPlace.START);
  }

  @ParameterizedTest
  @CsvSource({"1,4", "2,1", "2,2", "2,3", "2,4", "3,2"})
  void shouldFinishABatchOnceInAllInterleavings(int workers, int capacity) throws Exception {
    for (boolean cancelling : new boolean[] {false, true}) {
      long runs =
          Interleavings.explore(
              choices -> new Play(choices, workers, capacity, cancelling).ofDataset().run());
      assertThat(runs).isGreaterThanOrEqualTo(workers);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1,3,2,false",
    "2,2,0,false",
    "2,2,1,false",
    "2,2,2,false",
    "2,3,2,false",
    "3,2,1,false",
    "2,3,1,true",
    "2,3,0,true",
    "3,2,2,true"
  })
  void shouldEndABatchWithItsStreamInAllInterleavings(
      int workers, int capacity, int length, boolean dropLast) throws Exception {
    for (boolean cancelling : new boolean[] {false, true}) {
      long runs =
          Interleavings.explore(
              choices ->
                  new Play(choices, workers, capacity, cancelling)
                      .ofStream(length, dropLast)
                      .run());
      assertThat(runs).isGreaterThanOrEqualTo(workers);
    }
  }

  @Test
  void shouldExploreEveryInterleaving() throws Exception {
    // Two threads of three steps each: 6! / (3! 3!).
    long runs =
        Interleavings.explore(
            choices -> {
              int[] left = {3, 3};
              while (left[0] + left[1] > 0) {
                int one = left[0] == 0 ? 1 : left[1] == 0 ? 0 : choices.among(2);
                left[one]--;
              }
            });
    assertThat(runs).isEqualTo(20);
  }

  private static final class Play {
    private static final int CLAIM = -1;
    private static final int FILLING = -2;
    private static final int LEAVING = -3;
    private static final int ENDED = -4;

    private final Interleavings choices;
    private final int capacity;

    /**
     * The next step of each worker: claims, fills a row, is in the midst of that, leaves the batch,
     * or has ended.
     */
    private final int[] next;

    /**
     * True if finding no row and leaving the batch are two steps; with many rows or workers there
     * are too many runs for that.
     */
    private final boolean leavesApart;

    /** The rows that each worker has filled and that do not count as finished. */
    private final int[] filled;

    /** True if a worker counts each row, and not all when it leaves. */
    private boolean eachRow;

    private final LoaderClock clock = new LoaderClock(System::nanoTime);

    /** The clocks of the workers; samples nest, as they do in no thread. */
    private final List<WorkerClock> clocks;

    private final List<Integer> claimed = new ArrayList<>();
    private final int[] made;
    private boolean toCancel;

    private int length;
    private boolean dropLast;
    private Engine<Long> engine;
    private int slotsBefore;
    private BatchTask<Long> task;

    Play(Interleavings choices, int workers, int capacity, boolean cancelling) {
      this.choices = choices;
      this.capacity = capacity;
      this.next = IntStream.generate(() -> CLAIM).limit(workers).toArray();
      this.leavesApart = workers <= 2 && capacity <= 3;
      this.filled = new int[workers];
      this.made = new int[capacity];
      this.clocks = Stream.generate(() -> new WorkerClock(clock)).limit(workers).toList();
      this.toCancel = cancelling;
    }

    Play ofDataset() {
      length = capacity;
      return of(INDEXED, dataset(capacity, this::make));
    }

    Play ofStream(int streamLength, boolean dropping) {
      length = streamLength;
      dropLast = dropping;
      eachRow = true;
      return of(STREAMED, stream(length, capacity, dropLast, this::make));
    }

    private Play of(LoaderOptions<Long> options, EpochSource<Long> source) {
      engine = engine(options);
      slotsBefore = engine.freeSlots();
      task = new BatchTask<>(engine, source, capacity, new Slot(HostAllocator.direct()), 1);
      COLLATED.set(0);
      return this;
    }

    private Long make(long index) {
      made[(int) index]++;
      boolean goOn = true;
      while (goOn) {
        goOn = step(true);
      }
      return index;
    }

    void run() {
      boolean goOn = true;
      while (goOn) {
        goOn = step(false);
      }
      check();
    }

    private boolean step(boolean optional) {
      List<Integer> able = new ArrayList<>();
      for (int worker = 0; worker < next.length; worker++) {
        if (next[worker] >= 0 || next[worker] == CLAIM || next[worker] == LEAVING) {
          able.add(worker);
        }
      }
      int steps = able.size() + (toCancel ? 1 : 0);
      if (steps == 0) {
        return false;
      }
      int choice = choices.among(optional ? steps + 1 : steps);
      if (choice == steps) {
        return false;
      }
      if (choice == able.size()) {
        cancel();
      } else {
        work(able.get(choice));
      }
      return true;
    }

    private void work(int worker) {
      if (next[worker] == CLAIM) {
        int row = task.claim(clocks.get(worker));
        next[worker] = row >= 0 ? row : filled[worker] > 0 ? LEAVING : ENDED;
        if (row >= 0) {
          claimed.add(row);
        } else if (!leavesApart) {
          next[worker] = ENDED;
          finish(worker);
        }
      } else if (next[worker] == LEAVING) {
        next[worker] = ENDED;
        finish(worker);
      } else {
        int row = next[worker];
        next[worker] = FILLING;
        task.fill(row, null);
        filled[worker]++;
        if (eachRow) {
          finish(worker);
        }
        next[worker] = CLAIM;
      }
    }

    private void finish(int worker) {
      task.finish(filled[worker], clocks.get(worker));
      filled[worker] = 0;
    }

    private void cancel() {
      toCancel = false;
      if (!task.done()) {
        task.cancel();
      }
    }

    private void check() {
      assertThat(task.done()).isTrue();
      assertThat(claimed).doesNotHaveDuplicates();
      assertThat(engine.freeSlots() - slotsBefore).isEqualTo(task.cancelled() ? 1 : 0);
      int rows = Math.min(capacity, length);
      for (int row = 0; row < capacity; row++) {
        int expected = row < rows ? 1 : 0;
        assertThat(made[row]).isBetween(task.cancelled() ? 0 : expected, expected);
      }
      if (!task.cancelled()) {
        assertThat(claimed).hasSize(rows);
        int delivered = dropLast && rows < capacity ? 0 : rows;
        assertThat(COLLATED).hasValue(delivered == 0 ? 0 : 1);
        assertThat(task.assembly().valid()).isEqualTo(delivered);
        assertThat(task.assembly().failure()).isNull();
        assertThat(task.assembly().empty()).isEqualTo(delivered == 0);
      }
    }
  }

  /**
   * Runs a piece of code once for each sequence of choices that it can make, depth first: a small
   * model checker in the manner of Godefroid's VeriSoft. The code must be deterministic but for its
   * choices.
   */
  private static final class Interleavings {
    interface Run {
      void run(Interleavings choices) throws Exception;
    }

    /** The choices of this run so far, and how many options each had. */
    private final List<Integer> chosen = new ArrayList<>();

    private final List<Integer> options = new ArrayList<>();
    private int next;

    private Interleavings() {}

    static long explore(Run code) throws Exception {
      Interleavings choices = new Interleavings();
      long runs = 0;
      do {
        choices.next = 0;
        try {
          code.run(choices);
        } catch (AssertionError | Exception e) {
          throw new AssertionError("with the choices " + choices.chosen, e);
        }
        runs++;
      } while (choices.advance());
      return runs;
    }

    /** One of 0 .. count-1; each of them in some run. */
    int among(int count) {
      if (next == chosen.size()) {
        chosen.add(0);
        options.add(count);
      } else if (options.get(next) != count) {
        throw new AssertionError(
            "choice %d had %d options, now it has %d".formatted(next, options.get(next), count));
      }
      return chosen.get(next++);
    }

    private boolean advance() {
      while (!chosen.isEmpty()) {
        int last = chosen.size() - 1;
        if (chosen.get(last) + 1 < options.get(last)) {
          chosen.set(last, chosen.get(last) + 1);
          return true;
        }
        chosen.remove(last);
        options.remove(last);
      }
      return false;
    }
  }
}
