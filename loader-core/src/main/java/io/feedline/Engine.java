package io.feedline;

import io.feedline.data.LoaderException;
import io.feedline.internal.Counts;
import io.feedline.internal.ReadMeter;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls.Stall;
import io.feedline.stats.internal.BatchTaken;
import io.feedline.stats.internal.ConsumerWait;
import io.feedline.stats.internal.EpochFigures;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.JfrEvents;
import io.feedline.stats.internal.LoaderClock;
import io.feedline.stats.internal.LoaderCounters;
import io.feedline.stats.internal.MachineLoad;
import io.feedline.stats.internal.MeasuredBatches;
import io.feedline.stats.internal.RunCircumstances;
import io.feedline.stats.internal.StallDetector;
import io.feedline.stats.internal.WorkerClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The production of batches: a {@linkplain SlotRing ring of slots} (a slot is the memory of one
 * batch), the workers, and the queue of batches between the workers and the consumer.
 *
 * <h2>Implementation note</h2>
 *
 * <p><b>Work.</b> All workers work on one batch, {@code current}: they claim its rows by
 * incrementing a counter, without a lock. A worker that finds no row left takes the lock. It opens
 * the next batch if a slot is free and fewer than {@code prefetch} batches are in flight; otherwise
 * it waits. So the lock is taken a few times per batch, not per sample, and a slow sample delays
 * only its own batch.
 *
 * <p><b>Order.</b> {@code inFlight} contains the batches in the order in which they were opened,
 * which is the order of the epoch. The consumer takes the first batch when it is done. When an
 * epoch has no more batches to open, the batches of the next epoch follow.
 *
 * <p><b>Break.</b> When the consumer begins another epoch, the batches in flight are cancelled. The
 * slot of a cancelled batch becomes free when the rows that were being written are finished; no
 * thread waits for these rows.
 *
 * <p><b>Tuning.</b> The {@link Tuning} sets the number of active workers, and may change it when
 * the consumer takes a batch. A surplus worker finishes the rows that it can claim and waits on
 * {@code surplus} until it is needed. Threads start when they are first needed, and end with the
 * engine.
 *
 * <p><b>Waiting.</b> Workers wait on {@code work}, for a slot, an epoch or the end; the consumer
 * waits on {@code ready}. Every change that may end such a wait signals. If a batch may be opened,
 * one worker is woken. It wakes two others, each of them two more, and so on, as long as rows are
 * left and fewer workers than rows are woken. The consumer's {@link ConsumerWait} notes the state
 * that the consumer found and how long it has waited.
 *
 * <p><b>Time.</b> Workers time the samples of some batches on a {@link WorkerClock} of their own,
 * without a lock; the batch carries the times, and they are counted when the consumer takes the
 * batch.
 *
 * <p><b>Locks.</b> {@code lock} guards all fields here that are not final, and the fields of the
 * {@link SlotRing}, the {@link Tuning}, the {@link ConsumerWait}, the {@link StallDetector} and the
 * {@link MeasuredBatches}. A thread may take it while it holds the own lock of a stream or a batch,
 * never the other way round. The only user code under it is a batch sampler that computes a batch;
 * a worker that makes the next epoch releases it meanwhile.
 */
final class Engine<T> {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  private final LoaderOptions<T> options;
  private final EpochFactory<T> epochs;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition ready = lock.newCondition();

  private final Condition surplus = lock.newCondition();

  private final SlotRing slots;
  private final ArrayDeque<BatchTask<T>> inFlight = new ArrayDeque<>();
  private final Workers workers;

  private final ReadAheadWindow<T> ahead;

  private final Tuning tuning;

  /** The epoch from which batches are opened: the consumer's epoch, or already the next epoch. */
  private EpochSource<T> source;

  /** The epoch that the consumer iterates. */
  private EpochSource<T> consumed;

  /** True while the consumer's epoch may have more batches. */
  private boolean underWay;

  private EpochSource<T> nextBegunAfter;

  private boolean beginning;

  private BatchTask<T> current;

  private volatile boolean closed;

  /** The consumer's thread while it makes a batch itself, without workers. */
  private volatile Thread producer;

  private Throwable broken;

  private final FailureBudget budget;
  private final LoaderCounters counters;
  private final LoaderClock clock;
  private final JfrEvents events;

  private final WorkerClock consumerClock;

  private final MeasuredBatches measured;

  private int batchesReady;

  private final StallDetector detector;
  private final ConsumerWait consumerWait;

  /** Creates an engine without threads yet; without a tuner, workers and prefetch stay constant. */
  Engine(LoaderOptions<T> options, EpochFactory<T> epochs, LoaderClock clock, Tuner tuner) {
    this.options = options;
    this.epochs = epochs;
    this.slots = new SlotRing(options);
    this.clock = clock;
    this.budget = new FailureBudget(options.errorPolicy());
    this.counters = new LoaderCounters(clock.stages());
    this.events = clock.events();
    events.of(options.name());
    this.consumerClock = new WorkerClock(clock);
    this.measured = new MeasuredBatches(clock);
    long threshold = options.stallThreshold().toNanos();
    this.detector =
        new StallDetector(
            threshold,
            options.maxOpenBatches(),
            options.prefetchBytes().orElse(Long.MAX_VALUE),
            clock);
    this.consumerWait = new ConsumerWait(threshold, clock, detector, measured);
    this.tuning = new Tuning(options, tuner, detector, counters);
    this.workers = new Workers(options.name());
    this.ahead = new ReadAheadWindow<>(options);
  }

  // ---- epochs -------------------------------------------------------------------------------

  /**
   * Lets the consumer read an epoch, if the workers have begun it ahead of time; drops all other
   * epochs.
   *
   * @return the epoch's source; null if the epoch has not been begun ahead of time
   */
  @Nullable EpochSource<T> beginPrepared(long epoch) {
    List<EpochSource<T>> dropped = new ArrayList<>();
    lock.lock();
    try {
      awaitBeginning(epoch);
      checkUsable();
      boolean begun = source != null && source != consumed && source.epoch() == epoch;
      drop(begun ? source : null, dropped);
      consumed = source;
      if (begun) {
        noteBegin(epoch);
      }
      work.signalAll();
      return consumed;
    } finally {
      lock.unlock();
      dropped.forEach(EpochSource::close);
    }
  }

  /** Waits if a worker is making this epoch: to make the epoch again would take longer. */
  private void awaitBeginning(long epoch) {
    while (beginning && !closed && consumed != null && consumed.epoch() + 1 == epoch) {
      ready.awaitUninterruptibly();
    }
  }

  /**
   * Makes the workers begin an epoch before the consumer does; no epoch was begun before. Only logs
   * a failure: the consumer will make the epoch again, and meet the failure then.
   */
  void beginAhead(long epoch) {
    EpochSource<T> first;
    try {
      first = epochs.epoch(epoch, EpochPlace.START);
      first.readAhead(ahead);
    } catch (RuntimeException | Error e) {
      logNotBegun(epoch, e);
      return;
    }
    locked(
        () -> {
          source = first;
          detector.startUp();
          startWorkers();
        });
  }

  private static void logNotBegun(long epoch, Throwable reason) {
    LOG.debug("epoch {} cannot be begun ahead of time", epoch, reason);
  }

  /** Begins an epoch for the consumer; drops other epochs and their batches. */
  void begin(EpochSource<T> epoch) {
    epoch.readAhead(ahead);
    dropping(
        dropped -> {
          checkUsable();
          drop(null, dropped);
          source = epoch;
          consumed = epoch;
          noteBegin(epoch.epoch());
          detector.startUp();
          startWorkers();
          work.signalAll();
        });
  }

  private void noteBegin(long epoch) {
    long now = clock.now();
    underWay = true;
    tuning.beginEpoch();
    counters.epochBegins(epoch, now);
    events.epochBegins(epoch, now);
  }

  /** Notes that the consumer's epoch has no more batches, or is left; under the lock. */
  private void end() {
    if (underWay) {
      underWay = false;
      events.epochEnds();
    }
  }

  void dropAll() {
    dropping(dropped -> drop(null, dropped));
  }

  /** Runs an action under the lock; then, without it, closes the epochs that the action dropped. */
  private void dropping(Consumer<List<EpochSource<T>>> action) {
    List<EpochSource<T>> dropped = new ArrayList<>();
    lock.lock();
    try {
      action.accept(dropped);
    } finally {
      lock.unlock();
      dropped.forEach(EpochSource::close);
    }
  }

  /** Drops all epochs and their batches in flight, except one epoch; under the lock. */
  private void drop(EpochSource<T> except, List<EpochSource<T>> dropped) {
    // Wakes a consumer that waits for a batch of a dropped epoch, which never comes.
    ready.signalAll();
    end();
    consumerWait.forget();
    ArrayDeque<BatchTask<T>> kept = new ArrayDeque<>();
    for (BatchTask<T> task : inFlight) {
      if (task.source() == except) {
        kept.add(task);
      } else if (task.done()) {
        batchesReady--;
        recycle(task.slot());
      } else {
        task.cancel();
      }
    }
    inFlight.clear();
    inFlight.addAll(kept);
    if (current != null && current.source() != except) {
      current = null;
    }
    if (consumed != null && consumed != except) {
      dropped.add(consumed);
      consumed = null;
    }
    if (source != null && source != except) {
      dropped.add(source);
      source = null;
    }
  }

  // ---- workers ------------------------------------------------------------------------------

  private void startWorkers() {
    try {
      workers.start(tuning.workers(), this::runWorker);
    } catch (OutOfMemoryError e) {
      tuning.limit(workers.count(), e);
    }
  }

  private void runWorker(int number) {
    try {
      initWorker(number);
      clock.countCpu();
      try (WorkerClock own = new WorkerClock(clock)) {
        own.meter().enter();
        locked(() -> consumerWait.register(own));
        BatchTask<T> task = null;
        while ((task = awaitTask(task, number)) != null) {
          task.work(own);
        }
      }
    } catch (Throwable t) {
      breakDown(t);
    }
  }

  private void initWorker(int number) {
    try {
      options.workerInit().init(number);
    } catch (Throwable cause) {
      throw LoaderException.of(
          LoaderException.Stage.WORKER,
          options.name(),
          "workerInit of worker %d failed".formatted(number),
          cause);
    }
  }

  /** Awaits the batch after a batch whose rows are all claimed; null if the engine has ended. */
  private @Nullable BatchTask<T> awaitTask(BatchTask<T> exhausted, int number) {
    lock.lock();
    try {
      while (!closed && broken == null) {
        // An interrupt that user code left behind does not concern the engine.
        Thread.interrupted();
        if (number >= tuning.workers()) {
          awaitNeed();
          continue;
        }
        if (current != null && current != exhausted) {
          wakeOthers(current);
          return current;
        }
        BatchTask<T> next = openNext(clock.now());
        if (next != null) {
          current = next;
          wakeOthers(next);
          return next;
        }
        if (nextEpochIsDue()) {
          beginNextEpoch();
        } else {
          awaitWork();
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Wakes two more workers for the batch that the calling worker begins to work on, while rows are
   * left; the woken workers do the same. The last woken worker finds no row and opens the next
   * batch, so slow rows hold up no worker.
   */
  private void wakeOthers(BatchTask<T> task) {
    for (int i = 0; i < 2 && task.callWorker(); i++) {
      work.signal();
    }
  }

  /** Waits once, as a surplus worker; {@link #awaitTask} checks again after each wait. */
  @SuppressWarnings("WaitNotInLoop")
  private void awaitNeed() {
    // This worker may have consumed a signal that another worker needs.
    work.signalAll();
    surplus.awaitUninterruptibly();
  }

  /** Waits once for work; {@link #awaitTask} checks again after each wait. */
  @SuppressWarnings("WaitNotInLoop")
  private void awaitWork() {
    boolean room = source == null || mayOpen();
    long from = clock.now();
    if (!room) {
      tuning.rest(from);
    }
    work.awaitUninterruptibly();
    long until = clock.now();
    if (!room) {
      tuning.resume(until);
      detector.idleForRoom(until - from);
    }
    EpochFigures.Idle reason = room ? EpochFigures.Idle.EPOCH : EpochFigures.Idle.ROOM;
    counters.idle(reason, until - from);
    events.idle(reason, until - from);
  }

  private BatchTask<T> openNext(long now) {
    int capacity = mayOpen() ? source.nextCapacity() : 0;
    if (capacity == 0) {
      return null;
    }
    Slot slot = slots.next();
    BatchTask<T> task;
    try {
      double weight = measured.next(capacity, tuning.workers(), now);
      task = new BatchTask<>(this, source, capacity, slot, weight);
    } catch (Throwable t) {
      slots.putBack(slot);
      throw t;
    }
    slot.reserveUnknown();
    inFlight.add(task);
    if (consumerWait.opened()) {
      ready.signalAll();
    }
    return task;
  }

  private boolean mayOpen() {
    return source != null && inFlight.size() < tuning.prefetch() && slots.hasRoom(inFlight.size());
  }

  private boolean nextEpochIsDue() {
    return options.prefetchNextEpoch()
        && mayOpen()
        && source == consumed
        && nextBegunAfter != consumed
        && consumed.nextCapacity() == 0;
  }

  /** Makes the next epoch, without the lock. Logs a failure, which the consumer will meet again. */
  private void beginNextEpoch() {
    EpochSource<T> before = consumed;
    EpochSource<T> next = null;
    nextBegunAfter = before;
    beginning = true;
    lock.unlock();
    try {
      next = epochs.epoch(before.epoch() + 1, EpochPlace.START);
      next.readAhead(ahead);
    } catch (RuntimeException | Error e) {
      logNotBegun(before.epoch() + 1, e);
    } finally {
      lock.lock();
      beginning = false;
      ready.signalAll();
    }
    // If the consumer has begun another epoch meanwhile, this epoch is dropped: it opened no batch.
    if (next != null && source == before) {
      source = next;
    }
  }

  void finished(BatchTask<T> task) {
    lock.lock();
    try {
      task.markDone();
      slots.confirmSize(task.slot());
      if (task.cancelled()) {
        recycle(task.slot());
      } else {
        batchesReady++;
        ready.signalAll();
        if (options.prefetchBytes().isPresent()) {
          work.signalAll();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void breakDown(Throwable cause) {
    locked(
        () -> {
          broken = cause;
          ready.signalAll();
          work.signalAll();
          surplus.signalAll();
        });
  }

  // ---- the consumer -------------------------------------------------------------------------

  /**
   * Waits for the epoch's next batch and returns it; the batch then counts as open.
   *
   * @param timeoutNanos the longest wait; 0: no limit
   * @return null at the end of the epoch
   */
  @Nullable BatchTask<T> take(EpochSource<T> epoch, long timeoutNanos) {
    checkNotProducing();
    BatchTask<T> done;
    StallDetector.Finding finding = null;
    lockForConsumer();
    try {
      done = awaitDone(epoch, timeoutNanos, options.maxOpenBatches());
      if (done != null) {
        slots.open(
            done.slot(),
            options.trackOpenBatches()
                ? Optional.of(new SlotRing.TakenHere(done.number(), done.epoch()))
                : Optional.empty());
        finding = remove(done);
      }
    } finally {
      lock.unlock();
    }
    if (finding != null) {
      Stall stall = detector.stall(finding, done);
      locked(
          () -> {
            counters.stalled(stall);
            events.stalled(stall);
          });
    }
    tuning.logChange();
    return done;
  }

  /**
   * Waits as {@link #take} does, but leaves the batch in the queue.
   *
   * @param left called with each earlier batch that has nothing to deliver, and is therefore
   *     skipped
   * @return whether the epoch has a next batch
   */
  boolean awaitNext(EpochSource<T> epoch, long timeoutNanos, Consumer<BatchTask<T>> left) {
    checkNotProducing();
    lockForConsumer();
    try {
      while (true) {
        BatchTask<T> done = awaitDone(epoch, timeoutNanos, Integer.MAX_VALUE);
        if (done == null || !done.assembly().empty() || budget.exceededBy(done)) {
          return done != null;
        }
        remove(done);
        recycle(done.slot());
        left.accept(done);
        // If all later samples of an endless epoch fail, only an interrupt ends this loop.
        if (Thread.currentThread().isInterrupted()) {
          throw LoaderException.ofInterruptedWait(
              epoch.datasetName(), new InterruptedException("behind batch " + done.number()));
        }
      }
    } finally {
      lock.unlock();
      tuning.logChange();
    }
  }

  /** Takes the lock for the consumer; the wait for the lock counts as a wait for the batch. */
  private void lockForConsumer() {
    if (!lock.tryLock()) {
      long from = clock.now();
      lock.lock();
      consumerWait.queued(clock.now() - from);
    }
  }

  /** Waits, under the lock, for a deliverable batch; returns null at the end of the epoch. */
  private @Nullable BatchTask<T> awaitDone(EpochSource<T> epoch, long timeoutNanos, int mostOpen) {
    long start = consumerWait.arrived(batchesReady, inFlight.size() + slots.openBatches());
    boolean waiting = false;
    while (true) {
      checkUsable();
      if (epoch != consumed) {
        throw new IllegalStateException(
            "epoch %d is over: the loader has begun another".formatted(epoch.epoch()));
      }
      BatchTask<T> head = inFlight.peek();
      if (noMoreOf(epoch)) {
        end();
        return null;
      }
      if (slots.openBatches() >= mostOpen) {
        throw tooManyOpen();
      }
      BatchTask<T> done = firstDone(epoch);
      if (done != null) {
        consumerWait.found(start, waiting);
        return done;
      }
      consumerWait.begins(start);
      waiting = true;
      if (options.numWorkers() == 0) {
        produceHere(head, start);
      } else {
        try {
          awaitReady(epoch, head, start, timeoutNanos);
        } catch (LoaderException e) {
          consumerWait.giveUp(start);
          throw e;
        }
      }
    }
  }

  private StallDetector.@Nullable Finding remove(BatchTask<T> done) {
    inFlight.remove(done);
    batchesReady--;
    // One worker is enough to open a batch; that worker wakes others for its rows.
    work.signal();
    budget.charge(done);
    FinishedBatch batch = done.finished();
    BatchTaken taking =
        consumerWait.taken(
            tuning.workers(), tuning.prefetch() + options.maxOpenBatches(), tuning.prefetch());
    StallDetector.Finding finding = consumerWait.take(batch);
    counters.taken(batch, taking);
    events.taken(batch, taking);
    if (tuning.taken(batch, taking, inFlight.size(), batchesReady, slots.largest())) {
      startWorkers();
      surplus.signalAll();
    }
    if (noMoreOf(done.source())) {
      end();
    }
    return finding;
  }

  private BatchTask<T> firstDone(EpochSource<T> epoch) {
    long last = Long.MIN_VALUE;
    for (BatchTask<T> task : inFlight) {
      if (last == Long.MIN_VALUE) {
        last = task.number() + options.reorderWindow() - 1;
      }
      if (task.source() != epoch || task.number() > last) {
        return null;
      }
      if (task.done()) {
        return task;
      }
    }
    return null;
  }

  private boolean noMoreOf(EpochSource<T> epoch) {
    BatchTask<T> head = inFlight.peek();
    return head == null ? exhausted(epoch) : head.source() != epoch;
  }

  private boolean exhausted(EpochSource<T> epoch) {
    return source != epoch || epoch.nextCapacity() == 0;
  }

  /** Makes the batch in the consumer's thread, if there are no workers. */
  private void produceHere(BatchTask<T> begun, long now) {
    BatchTask<T> task = begun == null ? openNext(now) : begun;
    if (task == null) {
      return;
    }
    producer = Thread.currentThread();
    MachineLoad.Watch watch = consumerWait.watch();
    lock.unlock();
    ReadMeter before = consumerClock.meter().enter();
    try {
      task.work(consumerClock);
    } finally {
      ReadMeter.restore(before);
      producer = null;
      lock.lock();
      consumerWait.watched(watch);
    }
    if (!task.done() && !task.cancelled() && Thread.currentThread().isInterrupted()) {
      throw LoaderException.ofInterruptedWait(
          task.source().datasetName(), new InterruptedException("while the batch was made"));
    }
  }

  /** Waits once for a batch; {@link #awaitDone} checks again after each wait. */
  @SuppressWarnings("WaitNotInLoop")
  private void awaitReady(EpochSource<T> epoch, BatchTask<T> head, long start, long timeoutNanos) {
    long waited = clock.now() - start;
    long left = timeoutNanos == 0 ? Long.MAX_VALUE : timeoutNanos - waited;
    if (left <= 0) {
      throw LoaderException.ofTimeout(
          epoch.datasetName(), epoch.epoch(), Duration.ofNanos(timeoutNanos));
    }
    long unobserved = consumerWait.inspect(head == null ? null : head.times(), waited);
    try {
      long nanos = Math.min(left, unobserved);
      if (nanos == Long.MAX_VALUE) {
        ready.await();
      } else {
        consumerWait.late(-ready.awaitNanos(nanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LoaderException.ofInterruptedWait(epoch.datasetName(), e);
    }
  }

  boolean consumerWaits() {
    return locked(() -> lock.hasWaiters(ready));
  }

  private IllegalStateException tooManyOpen() {
    IllegalStateException exception =
        new IllegalStateException(
            ("%s of this loader %s open, as many as it allows: close each batch when it is"
                    + " used (try-with-resources), copy what is kept longer, or raise maxOpenBatches;"
                    + " trackOpenBatches(true) shows where they were taken")
                .formatted(
                    Counts.of(slots.openBatches(), "batch"),
                    slots.openBatches() == 1 ? "is" : "are"));
    slots.places().forEach(exception::addSuppressed);
    return exception;
  }

  /** Throws if the calling thread is making a sample of this loader: it would wait for itself. */
  void checkNotProducing() {
    Thread caller = Thread.currentThread();
    if (caller == producer || workers.include(caller)) {
      throw new IllegalStateException(
          "%s is making a sample of the loader '%s' and cannot iterate that loader meanwhile: it would wait for itself; use another loader inside a dataset, transform or collator"
              .formatted(caller.getName(), options.name()));
    }
  }

  private void checkUsable() {
    if (closed) {
      throw new IllegalStateException(
          "the loader '%s' is closed; iterate it before it is closed, or build another"
              .formatted(options.name()));
    }
    if (broken != null) {
      throw broken instanceof LoaderException known
          ? known
          : LoaderException.of(
              LoaderException.Stage.WORKER, options.name(), "a worker broke down", broken);
    }
  }

  // ---- slots --------------------------------------------------------------------------------

  void takeBack(Slot slot) {
    lock.lock();
    try {
      slots.takeBack(slot);
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private void recycle(Slot slot) {
    slots.recycle(slot);
    work.signal();
  }

  int freeSlots() {
    return locked(slots::free);
  }

  // ---- the end ------------------------------------------------------------------------------

  /**
   * Ends production, without waiting for samples that are being made. The memory of an open batch
   * is freed when the batch is closed. May be called twice.
   */
  void shutDown() {
    List<EpochSource<T>> dropped = new ArrayList<>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      work.signalAll();
      surplus.signalAll();
      slots.close();
      drop(null, dropped);
      slots
          .places()
          .forEach(place -> LOG.warn("{} is closed while a batch is open", options.name(), place));
    } finally {
      lock.unlock();
      dropped.forEach(EpochSource::close);
      ahead.shutDown();
      consumerClock.close();
    }
  }

  /** Ends production and waits for the workers and for reads under way. */
  void close() {
    shutDown();
    Workers.join(Workers.GRACE, Workers.GRACE, workers, ahead.readers(), ahead.publisher());
  }

  ReadAheadWindow<T> ahead() {
    return ahead;
  }

  LoaderOptions<T> options() {
    return options;
  }

  LoaderClock clock() {
    return clock;
  }

  FailureBudget budget() {
    return budget;
  }

  private <R> R locked(Supplier<R> figures) {
    lock.lock();
    try {
      return figures.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  RunRecord record(Map<String, Object> optionsAsJson, @Nullable ServiceLevel level) {
    return locked(
        () ->
            counters.record(
                new RunCircumstances(
                    options.name(),
                    optionsAsJson,
                    options.stallThreshold(),
                    budget.tolerated(),
                    slots.bytes(),
                    workers.ids()),
                level));
  }

  LoaderStats stats() {
    return locked(
        () -> counters.stats(budget.tolerated(), batchesReady, slots.openBatches(), slots.bytes()));
  }
}
