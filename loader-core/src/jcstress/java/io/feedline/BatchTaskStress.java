package io.feedline;

import io.feedline.batch.HostAllocator;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.WorkerClock;
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

  private BatchTaskStress() {}

  /** An engine whose slots are counted. */
  abstract static class Counted {

    final Engine<Long> engine;
    private final int slotsBefore;

    Counted(LoaderOptions<Long> options) {
      engine = BatchTaskInterleavingTest.engine(options);
      slotsBefore = engine.freeSlots();
    }

    final int slotsBack() {
      return engine.freeSlots() - slotsBefore;
    }
  }

  /** A batch that workers fill. */
  abstract static class Filled extends Counted {

    private final BatchTask<Long> task;
    private final LoaderClock clock = new LoaderClock(System::nanoTime);

    Filled(boolean streamed, int length) {
      super(streamed ? BatchTaskInterleavingTest.STREAMED : BatchTaskInterleavingTest.INDEXED);
      EpochSource<Long> source =
          streamed
              ? BatchTaskInterleavingTest.stream(length, CAPACITY, false, index -> index)
              : BatchTaskInterleavingTest.dataset(CAPACITY, index -> index);
      task = new BatchTask<>(engine, source, CAPACITY, new Slot(HostAllocator.direct()), 1);
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
      result.r3 = slotsBack();
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
  abstract static class Taken extends Counted {

    private final EpochSource<Long> source =
        BatchTaskInterleavingTest.dataset(CAPACITY, index -> index);

    Taken() {
      super(BatchTaskInterleavingTest.INDEXED);
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

    final void report(ZII_Result result) {
      result.r3 = slotsBack();
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
      engine.dropAll();
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
      engine.shutDown();
    }

    @Arbiter
    public void arbiter(ZII_Result result) {
      report(result);
    }
  }
}
