package io.feedline.stats.internal;

import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import io.feedline.internal.Stages;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * The stop watch of one worker: how long the samples of a measured batch were in which stage, and
 * how long a processor worked for them. Of other batches nothing is timed.
 *
 * <h2>Implementation note</h2>
 *
 * <p>What it takes to read the two clocks is measured anew for each batch, and taken off. All
 * belongs to the worker's thread, but for {@link #rowOf}.
 */
public final class WorkerClock implements DecodingClock {

  /** The number of trials to measure a reading of the clocks; the least counts. */
  private static final int TRIALS = 4;

  private final LoaderClock clock;
  private final LoaderObserver.Samples told;
  private final ReadMeter meter = new ReadMeter(this);

  /** The batch that the worker is at, which a consumer that waits may look at. */
  private volatile BatchTimes times;

  /** The row that was claimed last, of that batch; -1: none yet. */
  private final AtomicInteger row = new AtomicInteger(-1);

  /** The measurements of that batch; null: none so far. */
  private BatchTimes.@Nullable Share share;

  private boolean timing;

  /** The cost of reading the clocks. */
  private long ownNanos;

  private long ownCpuNanos;

  // Of the sample that is timed.
  private int stage;
  private long mark;
  private long cpuMark;
  private long[] nanos = new long[Stages.OWN];
  private long[] cpuNanos = new long[Stages.OWN];

  public WorkerClock(LoaderClock clock) {
    this.clock = clock;
    this.told = clock.observers().samples();
  }

  public ReadMeter meter() {
    return meter;
  }

  /** Turns to the rows of another batch. */
  public void switchBatch(BatchTimes next) {
    row.setRelease(-1);
    times = next;
    share = null;
    timing = next.measured();
  }

  /** A sample begins, before its row is claimed: a stream is read meanwhile. */
  public void begin() {
    if (timing) {
      beginTiming();
    }
  }

  private void beginTiming() {
    if (share == null) {
      share = times.newShare();
      readClocks();
    }
    Arrays.fill(nanos, 0);
    Arrays.fill(cpuNanos, 0);
    stage = Stages.READ;
    told.begin();
    mark = clock.now();
    cpuMark = clock.cpu();
  }

  private void readClocks() {
    ownNanos = Long.MAX_VALUE;
    ownCpuNanos = Long.MAX_VALUE;
    mark = clock.now();
    cpuMark = clock.cpu();
    for (int i = 0; i < TRIALS; i++) {
      long now = clock.now();
      long cpu = clock.cpu();
      ownNanos = Math.min(ownNanos, now - mark);
      ownCpuNanos = Math.min(ownCpuNanos, cpu - cpuMark);
      mark = now;
      cpuMark = cpu;
    }
  }

  /** The sample's row has been claimed. */
  public void at(int claimed) {
    row.setRelease(claimed);
  }

  /** No row was left: the sample that had begun does not count. */
  public void discardSample() {
    times = null;
  }

  /**
   * Returns the row of a batch that the worker is at, seen from another thread; -1 where it is at
   * another batch, or has no row of it. The worker may be at a later row when the caller knows it.
   */
  int rowOf(BatchTimes batch) {
    if (times != batch) {
      return -1;
    }
    int seen = row.get();
    // A later batch's row is seen only after that batch.
    return times == batch ? seen : -1;
  }

  /** Returns whether observers want the stages of the samples. */
  @Override
  public boolean timing() {
    return timing;
  }

  /** The sample that is timed enters a stage, and leaves the one before. */
  public void enter(int next) {
    if (next != stage) {
      lap();
      stage = next;
    }
  }

  /** The sample that is timed enters a stage that a user has named. */
  public void enter(String name) {
    enter(clock.stages().number(name));
  }

  @Override
  public long now() {
    return clock.now();
  }

  /** In another stage than writing a user's function has the image decoded: it is that stage's. */
  @Override
  public void decode() {
    if (stage == Stages.WRITE) {
      enter(Stages.DECODE);
    }
  }

  @Override
  public void decoded(long writing) {
    if (stage != Stages.DECODE) {
      return;
    }
    enter(Stages.WRITE);
    long both = nanos[Stages.DECODE];
    long moved = Math.min(writing, both);
    nanos[Stages.DECODE] -= moved;
    nanos[Stages.WRITE] += moved;
    if (both > 0) {
      long cpuMoved = (long) ((double) cpuNanos[Stages.DECODE] * moved / both);
      cpuNanos[Stages.DECODE] -= cpuMoved;
      cpuNanos[Stages.WRITE] += cpuMoved;
    }
  }

  private void lap() {
    if (stage >= nanos.length) {
      nanos = Arrays.copyOf(nanos, clock.stages().count());
      cpuNanos = Arrays.copyOf(cpuNanos, nanos.length);
    }
    long now = clock.now();
    long cpu = clock.cpu();
    long took = Math.max(0, now - mark - ownNanos);
    nanos[stage] += took;
    cpuNanos[stage] += Math.max(0, cpu - cpuMark - ownCpuNanos);
    if (told != LoaderObserver.NO_SAMPLES) {
      told.stage(times.batch(), row.getPlain(), stage, took);
      now = clock.now();
      cpu = clock.cpu();
    }
    mark = now;
    cpuMark = cpu;
  }

  /** Takes the lock of a stream, for which another worker may have to be waited for. */
  public void waitToRead(Lock lock) {
    if (lock.tryLock()) {
      return;
    }
    long from = clock.now();
    lock.lock();
    share(times).waitedToRead(clock.now() - from);
    // It was not spent on the sample.
    begin();
  }

  /** The sample is made, or has failed; what it took is charged to its batch. */
  public void end() {
    if (timing) {
      lap();
      share.add(row.getPlain(), nanos, cpuNanos);
      told.end(times.batch(), row.getPlain());
    }
  }

  /** Charges the bytes that were read since the last time to the batch of these samples. */
  public void charge(BatchTimes batch) {
    if (meter.counted()) {
      share(batch).read(meter.take());
    }
  }

  private BatchTimes.Share share(BatchTimes batch) {
    if (share == null) {
      share = batch.newShare();
    }
    return share;
  }
}
