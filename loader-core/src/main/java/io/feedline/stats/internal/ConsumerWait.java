package io.feedline.stats.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's wait for its next batch: what there was when it came, how long it has waited, and,
 * once that is a stall, which sample is being made. It is one wait from the first time that the
 * consumer comes until it takes the batch, however often it looks in between, or until it leaves
 * the epoch.
 *
 * <p>Not thread-safe: under the engine's lock.
 */
public final class ConsumerWait {

  /** The time within which the garbage collectors are not asked twice. */
  private static final long ASKED_NANOS = 1_000_000;

  /** The time within which the workers are not looked at twice. */
  private static final long LOOKED_NANOS = 100_000_000;

  private final LoaderClock clock;
  private final StallJudge judge;
  private final MeasuredBatches measured;

  /** The wait of the consumer before it looks for the cause. */
  private final long threshold;

  /** The clocks of the workers that have begun. */
  private final List<WorkerClock> workers = new ArrayList<>();

  /** The time that the consumer has waited for the batch that it has looked at and not taken. */
  private long waited;

  /** The time that the garbage collector had taken when it began to wait; negative: it has not. */
  private long collectedBefore = -1;

  /** True if it has asked them; then the time of the last asking, and their answer. */
  private boolean askedEver;

  private long askedAt;
  private long collectedAtAsking;

  /** True if there have been workers to look at; then the time of the last look. */
  private boolean workersSeen;

  private long lookedAt;

  /** The workers that it saw waiting for each other's lock in this wait; -1: it did not look. */
  private int contending = -1;

  /** True if the batch was not there when it came. */
  private boolean missed;

  /** The time for which the garbage collector stopped all threads while it waited. */
  private long collected;

  /** The time by which its timers were late. */
  private long late;

  /** When it saw that batch. */
  private long seenAt;

  /** The number of batches ready when the consumer came; negative: it has not come yet. */
  private int foundReady = -1;

  private int foundSlotsInUse;

  /** True if the observers know that the batch is there. */
  private boolean announced;

  /** The batch at which the consumer has looked since it waits for long, and what it saw. */
  private BatchTimes observed;

  private int observedRow;

  /** True if the consumer has waited long for a batch to be opened, and wants to know when. */
  private boolean wantsToKnow;

  /** True if a batch was opened for which it had waited long; then the time of that follows. */
  private boolean openedLate;

  private long openedLateAt;

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

  /**
   * The consumer comes for the batch, for the first time or once more.
   *
   * @param ready how many batches are done
   * @param slotsInUse how many slots are in use
   * @return when; for a batch that it has seen already, when it saw it
   */
  public long arrived(int ready, int slotsInUse) {
    if (announced) {
      return seenAt;
    }
    if (foundReady < 0) {
      foundReady = ready;
      foundSlotsInUse = slotsInUse;
    }
    clock.observers().comes();
    return clock.now();
  }

  /** The consumer was kept from looking for its batch: another thread had the engine's lock. */
  public void queued(long nanos) {
    waited += nanos;
  }

  /**
   * The batch is not there: the consumer, which came at {@code cameAt}, waits for it or makes it.
   *
   * <p>To ask the garbage collectors takes as long as some samples. They are not asked again within
   * a millisecond, in which they cannot have stopped all threads for longer. Ten times a second at
   * most it looks which of the workers wait for a lock.
   */
  public void begins(long cameAt) {
    missed = true;
    if (collectedBefore >= 0) {
      return;
    }
    if (!askedEver || cameAt - askedAt >= ASKED_NANOS) {
      askedEver = true;
      askedAt = cameAt;
      collectedAtAsking = clock.delays().collecting();
    }
    collectedBefore = collectedAtAsking;
    if (!workers.isEmpty() && (!workersSeen || cameAt - lookedAt >= LOOKED_NANOS)) {
      // At the first time workers have only begun, and have not met at a lock yet.
      contending = workersSeen ? clock.contending() : -1;
      workersSeen = true;
      lookedAt = cameAt;
    }
  }

  /** The consumer's timer rang so many nanoseconds late. */
  public void late(long nanos) {
    late += clock.delays().late(nanos);
  }

  /**
   * The consumer makes the batch itself, and has no timer: another one is set, if batches take so
   * long that it does not matter.
   */
  public Delays.Watch watch() {
    return judge.usualBatch() >= clock.delays().tick(0)
        ? clock.delays().watch()
        : Delays.NONE.watch();
  }

  /** The consumer has made the batch. */
  public void watched(Delays.Watch watch) {
    late += watch.end();
  }

  /** The consumer, which came last at {@code cameAt}, gives up without a batch, for now. */
  public void giveUp(long cameAt) {
    waited += clock.now() - cameAt;
    if (collectedBefore >= 0) {
      countCollecting();
    }
  }

  /** The consumer sees that the batch is there; it came for it last at {@code cameAt}. */
  public void found(long cameAt, boolean hadToWait) {
    seenAt = hadToWait ? clock.now() : cameAt;
    waited += seenAt - cameAt;
    if (collectedBefore >= 0 && waited >= threshold) {
      // Here, not when it takes the batch: what the collector does in between delays nothing.
      countCollecting();
    }
    collectedBefore = -1;
    if (!announced) {
      announced = true;
      clock.observers().came();
    }
  }

  private void countCollecting() {
    collected += clock.delays().collecting() - collectedBefore;
    collectedBefore = -1;
  }

  /** Returns the circumstances in which the consumer takes the batch that it has seen. */
  public BatchTaken taken(int activeWorkers, int slots, int prefetch) {
    return new BatchTaken(
        seenAt,
        waited,
        !missed,
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
    StallJudge.Verdict verdict =
        judge.judge(
            batch,
            new StallJudge.Wait(
                waited, observed == batch.times() ? observedRow : -1, collected, late));
    if (verdict != null) {
      measured.lookClosely(waited);
    }
    forget();
    return verdict;
  }

  /** The consumer has taken the batch, or leaves the epoch: the next wait is another one. */
  public void forget() {
    waited = 0;
    missed = false;
    collectedBefore = -1;
    collected = 0;
    contending = -1;
    late = 0;
    foundReady = -1;
    announced = false;
    observed = null;
    wantsToKnow = false;
    openedLate = false;
  }

  // ---- a long wait --------------------------------------------------------------------------

  /**
   * Looks, when the consumer has waited for long, which sample of the batch is being made; where no
   * batch has been opened, it looks when one has been opened for as long.
   *
   * @param head the batch that it waits for; null: none is open
   * @param sinceItCame how long it has waited
   * @return for how many nanoseconds it may wait before it is to look again; {@link Long#MAX_VALUE}
   *     for as long as it likes
   */
  public long inspect(@Nullable BatchTimes head, long sinceItCame) {
    return Math.min(clock.delays().tick(sinceItCame), look(head, sinceItCame));
  }

  private long look(@Nullable BatchTimes head, long sinceItCame) {
    if (head != null && observed == head) {
      return Long.MAX_VALUE;
    }
    long left = threshold - (openedLate ? clock.now() - openedLateAt : sinceItCame);
    if (left > 0) {
      return left;
    }
    wantsToKnow = head == null;
    if (head != null) {
      observe(head);
    }
    return Long.MAX_VALUE;
  }

  private void observe(BatchTimes head) {
    observed = head;
    observedRow = -1;
    int atIt = 0;
    for (WorkerClock worker : workers) {
      int row = worker.rowOf(head);
      if (row >= 0) {
        atIt++;
        observedRow = row;
      }
    }
    if (atIt != 1) {
      observedRow = -1;
    }
    measured.lookClosely(threshold);
  }

  /** A batch is opened. Returns whether the consumer waits to know that. */
  public boolean opened() {
    if (!wantsToKnow) {
      return false;
    }
    wantsToKnow = false;
    openedLate = true;
    openedLateAt = clock.now();
    return true;
  }
}
