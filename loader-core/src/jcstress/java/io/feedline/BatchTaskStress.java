package io.feedline;

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
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/**
 * Checks what {@code BatchTaskInterleavingTest} cannot see: steps of {@link BatchTask} and {@link
 * Engine} that overlap on real processors. Each result is whether the batch is done, how many rows
 * it has, and how many slots have come back. Run with {@code mvn -Pjcstress verify -pl
 * loader-core}.
 */
final class BatchTaskStress {

  private static final int CAPACITY = 2;

  private static final LoaderOptions<Long> INDEXED =
      options(DataLoader.builder(Dataset.of(0, index -> index)));
  private static final LoaderOptions<Long> STREAMED =
      options(DataLoader.builder(IterableDataset.of(List.<Long>of())));

  private BatchTaskStress() {}

  private static LoaderOptions<Long> options(DataLoaderBuilder<Long> builder) {
    try (DataLoader<Long> loader =
        builder.numWorkers(0).collator((samples, batch) -> batch.values("n", samples)).build()) {
      return loader.options();
    }
  }

  /** A batch that workers fill, and its engine. */
  abstract static class Filled {
    private final Engine<Long> engine;
    private final int slotsBefore;
    private final EpochSource<Long> source;
    private final BatchTask<Long> task;
    private final LoaderClock clock = new LoaderClock(System::nanoTime);

    Filled(boolean streamed, int length) {
      Dataset<Long> none = Dataset.of(0, index -> index);
      engine =
          new Engine<>(
              streamed ? STREAMED : INDEXED,
              IndexedEpochs.of(none, SequentialSampler.of(0), 1, false),
              new LoaderClock(),
              null);
      slotsBefore = engine.freeSlots();
      source = streamed ? stream(length) : dataset();
      task = new BatchTask<>(engine, source, CAPACITY, new Slot(HostAllocator.direct()), 1);
    }

    private static EpochSource<Long> dataset() {
      BatchSampler batches = BatchSampler.of(SequentialSampler.of(CAPACITY), CAPACITY, false);
      RankOrders orders = new RankOrders(batches::order, epoch -> List.of(), false);
      return new IndexedEpoch<>(
          new RemainingBatches<>(
              Dataset.of(CAPACITY, index -> index), orders, batches.order(0), 0, 0, Set.of()),
          null);
    }

    private static EpochSource<Long> stream(int length) {
      Iterator<Long> numbers = LongStream.range(0, length).iterator();
      SampleStream<Long> stream =
          new SampleStream<>() {
            @Override
            public PendingSample<Long> next() {
              return numbers.hasNext() ? PendingSample.of(numbers.next()) : null;
            }

            @Override
            public void close() {}
          };
      return new StreamedEpoch<>(
          new StreamedEpochs<>(
              IterableDataset.of(() -> numbers),
              CAPACITY,
              false,
              new ShardMixing(false, 0, 1, 0),
              WorldInfo.SINGLE,
              true,
              false),
          new ShardReader<>((shard, epoch) -> stream, 0, new int[] {0}, 1),
          0,
          EpochPlace.START);
    }

    final void work() {
      task.work(new WorkerClock(clock));
    }

    final void cancel() {
      task.cancel();
    }

    final void report(ZII_Result result) {
      result.r1 = task.done();
      result.r2 = task.assembly().valid();
      result.r3 = engine.freeSlots() - slotsBefore;
    }
  }

  @JCStressTest
  @Outcome(id = "true, 2, 0", expect = Expect.ACCEPTABLE, desc = "complete, kept for delivery")
  @State
  public static class TwoWorkers extends Filled {
    public TwoWorkers() {
      super(false, CAPACITY);
    }

    @Actor
    public void first() {
      work();
    }

    @Actor
    public void second() {
      work();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 2, 0", expect = Expect.ACCEPTABLE, desc = "done before it was cancelled")
  @Outcome(id = "true, [02], 1", expect = Expect.ACCEPTABLE, desc = "cancelled, recycled once")
  @State
  public static class WorkerAndCancel extends Filled {
    public WorkerAndCancel() {
      super(false, CAPACITY);
    }

    @Actor
    public void worker() {
      work();
    }

    @Actor
    public void consumer() {
      cancel();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 1, 0", expect = Expect.ACCEPTABLE, desc = "ended with the stream")
  @State
  public static class EndOfStream extends Filled {
    public EndOfStream() {
      super(true, 1);
    }

    @Actor
    public void first() {
      work();
    }

    @Actor
    public void second() {
      work();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 1, 0", expect = Expect.ACCEPTABLE, desc = "ended with the stream")
  @Outcome(id = "true, [01], 1", expect = Expect.ACCEPTABLE, desc = "cancelled, recycled once")
  @State
  public static class EndOfStreamWhileCancelled extends Filled {
    public EndOfStreamWhileCancelled() {
      super(true, 1);
    }

    @Actor
    public void worker() {
      work();
    }

    @Actor
    public void consumer() {
      cancel();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  /** Needs three processors, as the one below does. */
  @JCStressTest
  @Outcome(id = "true, 2, 0", expect = Expect.ACCEPTABLE, desc = "done before it was cancelled")
  @Outcome(id = "true, [02], 1", expect = Expect.ACCEPTABLE, desc = "cancelled, recycled once")
  @State
  public static class TwoWorkersAndCancel extends Filled {
    public TwoWorkersAndCancel() {
      super(false, CAPACITY);
    }

    @Actor
    public void first() {
      work();
    }

    @Actor
    public void second() {
      work();
    }

    @Actor
    public void consumer() {
      cancel();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 1, 0", expect = Expect.ACCEPTABLE, desc = "ended with the stream")
  @Outcome(id = "true, [01], 1", expect = Expect.ACCEPTABLE, desc = "cancelled, recycled once")
  @State
  public static class EndOfStreamAndCancel extends Filled {
    public EndOfStreamAndCancel() {
      super(true, 1);
    }

    @Actor
    public void first() {
      work();
    }

    @Actor
    public void second() {
      work();
    }

    @Actor
    public void consumer() {
      cancel();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  /** A consumer that makes its batch itself, while another thread turns away or closes. */
  abstract static class Taken {
    private final Engine<Long> engine;
    private final int slotsBefore;
    private final EpochSource<Long> source = Filled.dataset();

    Taken() {
      Dataset<Long> none = Dataset.of(0, index -> index);
      engine =
          new Engine<>(
              INDEXED,
              IndexedEpochs.of(none, SequentialSampler.of(0), 1, false),
              new LoaderClock(),
              null);
      slotsBefore = engine.freeSlots();
      engine.begin(source);
    }

    final void take(ZII_Result result) {
      try {
        BatchTask<Long> task = engine.take(source, 0);
        result.r2 = task.assembly().valid();
        task.giveBack();
        result.r1 = true;
      } catch (IllegalStateException turnedAway) {
        result.r1 = false;
      }
    }

    final Engine<Long> engine() {
      return engine;
    }

    final void report(ZII_Result result) {
      result.r3 = engine.freeSlots() - slotsBefore;
    }
  }

  @JCStressTest
  @Outcome(id = "true, 2, 0", expect = Expect.ACCEPTABLE, desc = "taken before")
  @Outcome(id = "false, 0, 0", expect = Expect.ACCEPTABLE, desc = "the epoch was over")
  @State
  public static class TakeAndDrop extends Taken {
    @Actor
    public void consumer(ZII_Result result) {
      take(result);
    }

    @Actor
    public void other() {
      engine().dropAll();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }

  @JCStressTest
  @Outcome(id = "true, 2, -3", expect = Expect.ACCEPTABLE, desc = "taken before")
  @Outcome(id = "false, 0, -3", expect = Expect.ACCEPTABLE, desc = "the loader was closed")
  @State
  public static class TakeAndShutDown extends Taken {
    @Actor
    public void consumer(ZII_Result result) {
      take(result);
    }

    @Actor
    public void other() {
      engine().shutDown();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }
}
