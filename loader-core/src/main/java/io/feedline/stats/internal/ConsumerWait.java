package io.feedline.stats.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's wait for its next batch, which may take several calls that time out. It lasts from
 * the first call until the consumer takes the batch or leaves the epoch. Once the wait is a stall,
 * the sample that is being made is looked up.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class ConsumerWait {

  /**
   * The shortest time, in nanoseconds, between two readings of the garbage collectors' times, since
   * a reading takes as long as making some samples. So a stop of at most this time just before a
   * wait may count as part of the wait.
   */
  private static final long ASKED_NANOS = 1_000_000;

  /** The shortest time, in nanoseconds, between inspections of the locks that workers wait for. */
  private static final long LOOKED_NANOS = 100_000_000;

  private enum State {
    /** The consumer works on a batch, or reads no epoch. */
    AWAY,
    CAME,
    WAITING,
    /** The consumer has stopped waiting without a batch, and may ask again. */
    GAVE_UP,
    /** The batch was complete when the consumer asked, and is not taken yet. */
    SEEN_AT_ONCE,
    /** The batch was completed while the consumer waited, and is not taken yet. */
    SEEN_LATE
  }

  private enum Look {
    NONE,
    /** No batch was open when the wait became long; it counts anew once a batch is opened. */
    UNOPENED,
    /** A batch was opened late; the length of the wait counts from the opening. */
    OPENED,
    /** The consumer has looked which workers make the batch. */
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
  private final StallDetector detector;
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

  /** The number of workers that waited for a worker's lock; -1 if the consumer did not look. */
  private int contending = -1;

  private long seenAt;

  private Look look = Look.NONE;
  private long openedAt;

  /** The inspected batch. {@code lookedRow} is the row of its only worker, or else -1. */
  private @Nullable BatchTimes looked;

  private int lookedRow;

  public ConsumerWait(
      long threshold, LoaderClock clock, StallDetector detector, MeasuredBatches measured) {
    this.clock = clock;
    this.detector = detector;
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
   * Notes that the consumer asks for the batch, for the first time or once more.
   *
   * @return the time of the call; for a batch that the consumer has seen already, the time when it
   *     saw the batch
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

  /** Notes that the batch is not complete: the consumer waits for it or makes it. */
  public void begins(long cameAt) {
    if (state == State.WAITING) {
      return;
    }
    state = State.WAITING;
    if (asking.isDue(cameAt)) {
      collectedAtAsking = clock.machine().collecting();
    }
    collectedBefore = collectedAtAsking;
    // At the first inspection workers have just begun, and have not met at a lock yet.
    boolean first = !looking.everDone;
    if (!workers.isEmpty() && looking.isDue(cameAt)) {
      contending = first ? -1 : clock.contending();
    }
  }

  public void late(long nanos) {
    late += clock.machine().late(nanos);
  }

  /** Watches a consumer that makes the batch itself, if batches take long enough for a timer. */
  public MachineLoad.Watch watch() {
    return detector.usualBatch() >= clock.machine().tick(0)
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

  /** Notes that the consumer, which last asked at {@code cameAt}, sees the complete batch. */
  public void found(long cameAt, boolean hadToWait) {
    seenAt = hadToWait ? clock.now() : cameAt;
    waited += seenAt - cameAt;
    if (hasSeen()) {
      return;
    }
    if (state == State.WAITING && waited >= threshold) {
      // Measured here, not when the batch is taken: a collection in between delays nothing.
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

  /** Ends the wait; returns the reason of the wait, or null if the wait was no stall. */
  public StallDetector.@Nullable Finding take(FinishedBatch batch) {
    int row = looked == batch.times() ? lookedRow : -1;
    StallDetector.Finding finding =
        detector.detect(batch, new StallDetector.Wait(waited, row, collected, late));
    if (finding != null) {
      measured.lookClosely(waited);
    }
    forget();
    return finding;
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
   * Finds the sample that is being made, once the consumer has waited for the length of a stall. If
   * no batch was open, this time counts from the opening of a batch.
   *
   * @param head the batch that the consumer waits for; null if no batch is open
   * @return the nanoseconds until the next call; {@link Long#MAX_VALUE} if no further call is
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

  /** Notes that a batch is opened; returns whether the consumer waits for an opened batch. */
  public boolean opened() {
    if (look != Look.UNOPENED) {
      return false;
    }
    look = Look.OPENED;
    openedAt = clock.now();
    return true;
  }
}
