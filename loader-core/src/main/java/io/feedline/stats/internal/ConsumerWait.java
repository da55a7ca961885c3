package io.feedline.stats.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's wait for its next batch: the state when the consumer came, the time that it has
 * waited, and, once the wait is a stall, the sample that is being made. A wait lasts from the
 * consumer's first call for the batch until the consumer takes the batch or leaves the epoch, over
 * any number of calls.
 *
 * <pre>
 *   AWAY --arrived--&gt; CAME --found--&gt; SEEN_AT_ONCE --take--&gt; AWAY
 *                     CAME --begins--&gt; WAITING --found--&gt; SEEN_LATE --take--&gt; AWAY
 *                                      WAITING --giveUp--&gt; GAVE_UP --begins--&gt; WAITING
 *                                                          GAVE_UP --found--&gt; SEEN_LATE
 *   each --forget--&gt; AWAY
 * </pre>
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class ConsumerWait {

  /** The time within which the garbage collectors are not asked twice. */
  private static final long ASKED_NANOS = 1_000_000;

  /** The time within which the workers are not looked at twice. */
  private static final long LOOKED_NANOS = 100_000_000;

  private enum State {
    /** The consumer works on a batch, or is at no epoch. */
    AWAY,
    /** The consumer has come, and it is not yet known whether its batch is complete. */
    CAME,
    /** The batch was not complete: the consumer waits for it, or makes it. */
    WAITING,
    /** The consumer has stopped waiting without a batch, and may come again. */
    GAVE_UP,
    /** The batch was complete when the consumer came, and is not taken yet. */
    SEEN_AT_ONCE,
    /** Its batch came while it waited, and is not taken yet. */
    SEEN_LATE
  }

  /** The knowledge about the batch of a long wait. */
  private enum Look {
    /** The wait is not long, or no batch has been looked at. */
    NONE,
    /** No batch was open when the wait became long; it matters when one is opened. */
    UNOPENED,
    /** A batch was opened late: its time counts from there. */
    OPENED,
    /** The consumer has looked who makes the batch. */
    LOOKED
  }

  /** A measurement that is made seldom, since it takes as long as some samples. */
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

  /** The wait of the consumer before it looks for the cause. */
  private final long threshold;

  /** The clocks of the workers that have begun. */
  private final List<WorkerClock> workers = new ArrayList<>();

  private final Seldom asking = new Seldom(ASKED_NANOS);
  private final Seldom looking = new Seldom(LOOKED_NANOS);
  private long collectedAtAsking;

  // ---- of this wait ---------------------------------------------------------------------------

  private State state = State.AWAY;

  /** The time of all waits of the consumer that have ended. */
  private long waited;

  /** The batches that were ready, and the slots in use, when it came first. */
  private int foundReady;

  private int foundSlotsInUse;

  /** The time that the garbage collector had taken when it began to wait. */
  private long collectedBefore;

  /** The time for which the garbage collector stopped all threads while it waited. */
  private long collected;

  /** The time by which its timers were late. */
  private long late;

  /** The workers that it saw waiting for each other's lock; -1: it did not look. */
  private int contending = -1;

  /** When it saw its batch. */
  private long seenAt;

  private Look look = Look.NONE;

  /** When the batch was opened for which it had waited long. */
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

  /** Adds the clock of a worker that begins. */
  public void register(WorkerClock worker) {
    workers.add(worker);
  }

  private boolean hasSeen() {
    return state == State.SEEN_AT_ONCE || state == State.SEEN_LATE;
  }

  /**
   * The consumer comes for the batch, for the first time or once more.
   *
   * @param ready how many batches are done
   * @param slotsInUse how many slots are in use
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

  /** The consumer was kept from looking for its batch: another thread had the engine's lock. */
  public void queued(long nanos) {
    waited += nanos;
  }

  /**
   * Notes that the batch is not complete: the consumer, which came at {@code cameAt}, waits for it
   * or makes it.
   *
   * <p>Asking the garbage collectors takes as long as some samples. They are not asked again within
   * a millisecond, in which they cannot have stopped all threads for longer. Ten times a second at
   * most it looks which of the workers wait for a lock.
   */
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

  /** Notes by how many nanoseconds the consumer's timer was late. */
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

  /** The consumer has made the batch. */
  public void watched(MachineLoad.Watch watch) {
    late += watch.end();
  }

  /** The consumer, which came last at {@code cameAt}, gives up without a batch, for now. */
  public void giveUp(long cameAt) {
    waited += clock.now() - cameAt;
    if (state == State.WAITING) {
      state = State.GAVE_UP;
      collected += clock.machine().collecting() - collectedBefore;
    }
  }

  /**
   * Notes that the consumer sees the complete batch; the consumer came for it last at {@code
   * cameAt}.
   */
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

  /** Returns the circumstances in which the consumer takes the batch that it has seen. */
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

  /**
   * The consumer takes the batch, which ends the wait.
   *
   * @return why it had to wait for it; null where that was no stall
   */
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

  /** Ends the wait: the consumer has taken the batch, or leaves the epoch. */
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
   * Finds the sample of the batch that is being made when the consumer has waited for long; if no
   * batch was open, when a batch has been open for as long.
   *
   * @param head the batch that the consumer waits for; null if no batch is open
   * @param sinceItCame how long it has waited
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
