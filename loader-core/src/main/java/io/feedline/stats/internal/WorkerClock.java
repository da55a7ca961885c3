package io.feedline.stats.internal;

import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import io.feedline.internal.Stages;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stop watch of one worker: the time of a measured batch's samples in each stage, on a
 * processor, and in the queue for a processor. Other batches are not timed.
 *
 * <h2>Implementation note</h2>
 *
 * <p>To read the thread's processor time is a system call, which takes longer than many stages. In
 * a stage of less than {@value #BRIEF_NANOS} ns the thread cannot have lost its processor and got
 * it back, so all of that time counts as work. The time of reading both clocks is measured anew for
 * each batch, and subtracted. To read how long the thread queued for a processor takes longer than
 * both. So this time is read when a batch begins, then only after {@value #QUEUED_NANOS} ns without
 * work. Only the worker's thread uses the clock, except for {@link #rowOf} and {@link #close}.
 */
public final class WorkerClock implements DecodingClock, AutoCloseable {

  /** A thread that did not run for this time or longer may have queued for a processor. */
  static final long QUEUED_NANOS = 200_000;

  /** The time below which a stage counts as work entirely. */
  static final long BRIEF_NANOS = 2_000;

  private static final int TRIALS = 4;

  private final LoaderClock clock;
  private final JfrEvents.Samples recorder;
  private final ReadMeter meter = new ReadMeter(this);
  private final LongSupplier queue;

  /** The times of the present batch; the waiting consumer reads them, too. */
  private volatile BatchTimes times;

  /** The row claimed last; -1 before the first row. */
  private final AtomicInteger row = new AtomicInteger(-1);

  /** The worker's share of the batch's times; null before the batch's first measurement. */
  private BatchTimes.@Nullable Share share;

  private boolean timing;
  private boolean recording; // true if the flight recorder records the sample's stages
  private long ownNanos; // the cost of reading the clocks, subtracted from each stage
  private long ownCpuNanos;
  private int stage;
  private long mark;
  private long cpuMark;

  /** True if both clocks were read when the stage began: the stage then contains this cost. */
  private boolean cpuRead;

  private long queueMark; // the time in the queue for a processor, at the last reading

  private long[] nanos = new long[Stages.OWN];
  private long[] cpuNanos = new long[Stages.OWN];
  private long[] queuedNanos = new long[Stages.OWN];

  public WorkerClock(LoaderClock clock) {
    this.clock = clock;
    this.recorder = clock.events().samples();
    this.queue = clock.machine().queue();
  }

  public ReadMeter meter() {
    return meter;
  }

  public void switchBatch(BatchTimes next) {
    row.setRelease(-1);
    times = next;
    share = null;
    timing = next.measured();
  }

  /** Begins to time a sample. Called before the row is claimed, since a claim may read a stream. */
  public void begin() {
    if (timing) {
      beginTiming();
    }
  }

  private void beginTiming() {
    if (share == null) {
      share = times.newShare();
      readClocks();
      queueMark = queue.getAsLong();
    }
    Arrays.fill(nanos, 0);
    Arrays.fill(cpuNanos, 0);
    Arrays.fill(queuedNanos, 0);
    stage = Stages.READ;
    recording = recorder.begin();
    mark(clock.now());
  }

  private void mark(long now) {
    cpuRead = now - mark >= BRIEF_NANOS;
    cpuMark = cpuRead ? clock.cpu() : cpuMark + now - mark;
    mark = now;
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

  public void at(int claimed) {
    row.setRelease(claimed);
  }

  public void discardSample() {
    times = null;
  }

  /** Returns the row of this batch that the worker is making, or -1; called by other threads. */
  int rowOf(BatchTimes batch) {
    if (times != batch) {
      return -1;
    }
    int seen = row.get();
    // A later batch's row can be seen only after that batch itself.
    return times == batch ? seen : -1;
  }

  @Override
  public boolean timing() {
    return timing;
  }

  public void enter(int next) {
    if (next != stage) {
      lap();
      stage = next;
    }
  }

  public void enter(String name) {
    enter(clock.stages().number(name));
  }

  @Override
  public long now() {
    return clock.now();
  }

  @Override
  public void leaveOut() {
    mark(clock.now());
  }

  /**
   * Enters the stage of decoding from the stage of writing. In other stages a user's function has
   * caused the decoding, so its time belongs to that stage.
   */
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
      move(cpuNanos, (double) moved / both);
      move(queuedNanos, (double) moved / both);
    }
  }

  @Override
  public @Nullable String ownStage() {
    return stage < Stages.OWN ? null : clock.stages().name(stage);
  }

  @Override
  public int transform(Object function) {
    int before = stage;
    String name = Stages.nameOf(function);
    if (name != null) {
      enter(name);
    } else if (before == Stages.DECODE) {
      enter(Stages.TRANSFORM);
    }
    return before;
  }

  @Override
  public void transformed(int before) {
    enter(before);
  }

  private static void move(long[] times, double share) {
    long moved = (long) (times[Stages.DECODE] * share);
    times[Stages.DECODE] -= moved;
    times[Stages.WRITE] += moved;
  }

  private void lap() {
    if (stage >= nanos.length) {
      nanos = Arrays.copyOf(nanos, clock.stages().count());
      cpuNanos = Arrays.copyOf(cpuNanos, nanos.length);
      queuedNanos = Arrays.copyOf(queuedNanos, nanos.length);
    }
    long from = mark;
    long cpuFrom = cpuMark;
    boolean own = cpuRead;
    mark(clock.now());
    long took = Math.max(0, mark - from - (own ? ownNanos : 0));
    long worked = Math.max(0, cpuMark - cpuFrom - (own ? ownCpuNanos : 0));
    nanos[stage] += took;
    cpuNanos[stage] += worked;
    boolean mayHaveQueued = took - worked >= QUEUED_NANOS;
    queuedNanos[stage] += queuedOf(took - worked);
    if (recording) {
      recorder.stage(times.batch(), row.getPlain(), stage, took);
    }
    if (mayHaveQueued || recording) {
      mark(clock.now());
    }
  }

  /**
   * Returns how long the thread has queued for a processor since the last reading.
   *
   * @param without the nanoseconds since the last reading in which the thread did not run, whether
   *     it queued or waited; if less than {@value #QUEUED_NANOS}, the method returns 0 and reads
   *     nothing
   */
  long queuedOf(long without) {
    if (without < QUEUED_NANOS) {
      return 0;
    }
    long before = queueMark;
    queueMark = queue.getAsLong();
    return Math.max(0, Math.min(queueMark - before, without));
  }

  /** Takes the lock of a stream; counts the time if another worker holds the lock. */
  public void waitToRead(Lock lock) {
    if (lock.tryLock()) {
      return;
    }
    long from = clock.now();
    lock.lock();
    share(times).waitedToRead(clock.now() - from);
    // The wait is no time of the sample.
    begin();
  }

  public void end() {
    lap();
    share.add(row.getPlain(), nanos, cpuNanos, queuedNanos);
    if (recording) {
      recorder.end(times.batch(), row.getPlain());
    }
  }

  public void charge(BatchTimes batch) {
    if (meter.counted()) {
      share(batch).read(meter.take());
    }
  }

  /** Closes the clock; another thread may call this method while the worker reads the clock. */
  @Override
  public void close() {
    if (queue instanceof ProcessorQueue file) {
      file.close();
    }
  }

  private BatchTimes.Share share(BatchTimes batch) {
    if (share == null) {
      share = batch.newShare();
    }
    return share;
  }
}
