package io.feedline.stats.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's wait for its next batch, from the first call until the consumer takes the batch or
 * leaves the epoch, over any number of calls. Once the wait is a stall, it finds the sample that is
 * being made.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class ConsumerWait {

  /**
   * The interval of asking the garbage collectors, which takes as long as some samples; they cannot
   * have stopped all threads for longer in it.
   */
  private static final long ASKED_NANOS = 1_000_000;

  /** The interval of looking which workers wait for a lock. */
  private static final long LOOKED_NANOS = 100_000_000;

  private enum State {
    /** The consumer works on a batch, or is at no epoch. */
    AWAY,
    CAME,
    WAITING,
    /** The consumer has stopped waiting without a batch, and may come again. */
    GAVE_UP,
    /** The batch was complete when the consumer came, and is not taken yet. */
    SEEN_AT_ONCE,
    /** Its batch came while it waited, and is not taken yet. */
    SEEN_LATE
  }

  private enum Look {
    NONE,
    /** No batch was open when the wait became long; it matters when one is opened. */
    UNOPENED,
    /** A batch was opened late: its time counts from there. */
    OPENED,
    /** The consumer has looked who makes the batch. */
    LOOKED
  }

  private static final class Seldom {
    private final long apart;
    private boolean everDone;
    private long lastAt;

    Seldom(long apart) {
      this.apart = apart;
    }

    boolean isDue(long now) {
      if (everDone && now - lastAt < apart) {
        return false;
      }
      everDone = true;
      lastAt = now;
      return true;
    }
  }

  private final LoaderClock clock;
  private final StallJudge judge;
  private final MeasuredBatches measured;
  private final long threshold;
  private final List<WorkerClock> workers = new ArrayList<>();

  private final Seldom asking = new Seldom(ASKED_NANOS);
  private final Seldom looking = new Seldom(LOOKED_NANOS);
  private long collectedAtAsking;

  // ---- of this wait ---------------------------------------------------------------------------

  private State state = State.AWAY;
  private long waited;
  private int foundReady;

  private int foundSlotsInUse;
  private long collectedBefore;
  private long collected;
  private long late;

  /** The workers that waited for each other's lock; -1: the consumer did not look. */
  private int contending = -1;

  private long seenAt;

  private Look look = Look.NONE;
  private long openedAt;

  /** The inspected batch, and the row at which only one worker was; -1 if there was no such row. */
  private @Nullable BatchTimes looked;

  private int lookedRow;

  public ConsumerWait(
      long threshold, LoaderClock clock, StallJudge judge, MeasuredBatches measured) {
    this.clock = clock;
    this.judge = judge;
    this.measured = measured;
    this.threshold = threshold;
  }

  public void register(WorkerClock worker) {
    workers.add(worker);
  }

  private boolean hasSeen() {
    return state == State.SEEN_AT_ONCE || state == State.SEEN_LATE;
  }

  /**
   * The consumer comes for the batch, for the first time or once more.
   *
   * @return when; for a batch that it has seen already, when it saw it
   */
  public long arrived(int ready, int slotsInUse) {
    if (hasSeen()) {
      return seenAt;
    }
    if (state == State.AWAY) {
      state = State.CAME;
      foundReady = ready;
      foundSlotsInUse = slotsInUse;
    }
    clock.events().comes();
    return clock.now();
  }

  public void queued(long nanos) {
    waited += nanos;
  }

  /** The batch is not complete: the consumer waits for it or makes it. */
  public void begins(long cameAt) {
    if (state == State.WAITING) {
      return;
    }
    state = State.WAITING;
    if (asking.isDue(cameAt)) {
      collectedAtAsking = clock.machine().collecting();
    }
    collectedBefore = collectedAtAsking;
    // At the first look workers have just begun, and have not met at a lock yet.
    boolean first = !looking.everDone;
    if (!workers.isEmpty() && looking.isDue(cameAt)) {
      contending = first ? -1 : clock.contending();
    }
  }

  public void late(long nanos) {
    late += clock.machine().late(nanos);
  }

  /**
   * Sets a timer for a consumer that makes the batch itself, if batches take long enough that the
   * timer costs little.
   */
  public MachineLoad.Watch watch() {
    return judge.usualBatch() >= clock.machine().tick(0)
        ? clock.machine().watch()
        : MachineLoad.NONE.watch();
  }

  public void watched(MachineLoad.Watch watch) {
    late += watch.end();
  }

  public void giveUp(long cameAt) {
    waited += clock.now() - cameAt;
    if (state == State.WAITING) {
      state = State.GAVE_UP;
      collected += clock.machine().collecting() - collectedBefore;
    }
  }

  /** The consumer, which came last at {@code cameAt}, sees the complete batch. */
  public void found(long cameAt, boolean hadToWait) {
    seenAt = hadToWait ? clock.now() : cameAt;
    waited += seenAt - cameAt;
    if (hasSeen()) {
      return;
    }
    if (state == State.WAITING && waited >= threshold) {
      // Measured here, not when the consumer takes the batch: a collection in between delays
      // nothing.
      collected += clock.machine().collecting() - collectedBefore;
    }
    state = state == State.CAME ? State.SEEN_AT_ONCE : State.SEEN_LATE;
    clock.events().came();
  }

  public BatchTaken taken(int activeWorkers, int slots, int prefetch) {
    return new BatchTaken(
        seenAt,
        waited,
        state == State.SEEN_AT_ONCE,
        foundSlotsInUse,
        foundReady,
        activeWorkers,
        contending,
        slots,
        prefetch);
  }

  /** Ends the wait. @return the reason of the wait; null if it was no stall */
  public StallJudge.@Nullable Verdict take(FinishedBatch batch) {
    int row = looked == batch.times() ? lookedRow : -1;
    StallJudge.Verdict verdict =
        judge.judge(batch, new StallJudge.Wait(waited, row, collected, late));
    if (verdict != null) {
      measured.lookClosely(waited);
    }
    forget();
    return verdict;
  }

  public void forget() {
    state = State.AWAY;
    waited = 0;
    collected = 0;
    late = 0;
    contending = -1;
    look = Look.NONE;
    looked = null;
  }

  // ---- a long wait --------------------------------------------------------------------------

  /**
   * Finds the sample that is being made when the consumer has waited for long; if no batch was
   * open, when a batch has been open for as long.
   *
   * @param head the batch that the consumer waits for; null if no batch is open
   * @return the nanoseconds until the next look; {@link Long#MAX_VALUE} if no further look is
   *     needed
   */
  public long inspect(@Nullable BatchTimes head, long sinceItCame) {
    return Math.min(clock.machine().tick(sinceItCame), look(head, sinceItCame));
  }

  private long look(@Nullable BatchTimes head, long sinceItCame) {
    if (look == Look.LOOKED && looked == head) {
      return Long.MAX_VALUE;
    }
    long left = threshold - (look == Look.OPENED ? clock.now() - openedAt : sinceItCame);
    if (left > 0) {
      return left;
    }
    if (head == null) {
      look = Look.UNOPENED;
    } else {
      look = Look.LOOKED;
      lookAt(head);
    }
    return Long.MAX_VALUE;
  }

  private void lookAt(BatchTimes head) {
    looked = head;
    lookedRow = -1;
    int atIt = 0;
    for (WorkerClock worker : workers) {
      int row = worker.rowOf(head);
      if (row >= 0) {
        atIt++;
        lookedRow = row;
      }
    }
    if (atIt != 1) {
      lookedRow = -1;
    }
    measured.lookClosely(threshold);
  }

  /** A batch is opened. Returns whether the consumer waits to know that. */
  public boolean opened() {
    if (look != Look.UNOPENED) {
      return false;
    }
    look = Look.OPENED;
    openedAt = clock.now();
    return true;
  }
}
