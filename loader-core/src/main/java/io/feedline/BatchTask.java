package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.batch.RowCollator;
import io.feedline.data.LoaderException;
import io.feedline.stats.internal.BatchTimes;
import io.feedline.stats.internal.FinishedBatch;
import io.feedline.stats.internal.ObservedBatch;
import io.feedline.stats.internal.WorkerClock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One batch in production: gives each row to one worker, and finds out when all rows are complete.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Two counters run the batch. {@code claims} gives each row to one worker, by an increment.
 * {@code pending} counts the rows that are not finished; the worker that brings it to zero has the
 * rows assembled and hands the batch to the engine. Some rows are never written: those of a
 * cancelled batch, and those after the end of a stream. Both counters count such a row, so that
 * {@code pending} always reaches zero, and only once.
 *
 * <p>A worker subtracts all rows that it has filled from {@code pending} at once, when no row is
 * left to claim. This delays no batch: until then the worker is filling another row, for which the
 * batch waits anyway. If a claim may have to wait for a stream, the worker subtracts each row when
 * it has filled the row.
 */
final class BatchTask<T> implements ObservedBatch {

  private final Engine<T> engine;
  private final EpochSource<T> source;
  private final LoaderOptions<T> options;
  private final BatchRows<T> rows;
  private final int capacity;
  private final Slot slot;
  private final BatchTimes times;
  private final BatchAssembly<T> assembly;

  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger pending;

  private int unused;

  private long[] indices = {};

  private volatile int claimed;
  private volatile boolean cancelled;

  /** True if the batch is complete; set under the engine's lock, after all other fields. */
  private boolean done;

  /** The number of workers woken for the rows; under the engine's lock. */
  private int called;

  BatchTask(Engine<T> engine, EpochSource<T> source, int capacity, Slot slot, double weight) {
    this.engine = engine;
    this.source = source;
    this.options = engine.options();
    this.capacity = capacity;
    this.slot = slot;
    this.pending = new AtomicInteger(capacity);
    this.claimed = capacity;
    this.rows = source.open(capacity);
    this.times = new BatchTimes(this, engine.clock(), weight);
    this.assembly = new BatchAssembly<>(source, rows, options, slot, times);
    if (!rows.claimsWait()) {
      reserve(capacity);
    }
  }

  private void reserve(int most) {
    indices = new long[Math.max(most, options.rowsOfPaddedBatch())];
    assembly.reserve(indices);
  }

  // ---- claims -------------------------------------------------------------------------------

  /** Claims and returns a row; -1 if no row is left, or the claiming consumer was interrupted. */
  int claim(WorkerClock clock) {
    clock.begin();
    int row = -1;
    try {
      row = rows.claim(this, clock);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (row < 0) {
      clock.discardSample();
    } else {
      clock.at(row);
    }
    return row;
  }

  int claimNext() {
    int row = claims.getAndIncrement();
    return row < capacity ? row : -1;
  }

  /**
   * Counts one more worker that is woken for the rows; called under the engine's lock.
   *
   * @return false if no row is left, or the number of woken workers has reached the number of rows
   */
  boolean callWorker() {
    if (called >= capacity || claims.get() >= capacity) {
      return false;
    }
    called++;
    return true;
  }

  /**
   * Sets the largest number of rows of a stream's batch, before the first row is claimed.
   *
   * @param most 1 or more; memory is allocated for this number of rows
   * @return false if the batch was cancelled
   */
  boolean settle(int most) {
    unused = capacity - most;
    reserve(most);
    claimed = most;
    boolean settled = claims.compareAndSet(0, unused);
    if (settled && unused > 0) {
      retire(unused, null);
    }
    return settled;
  }

  /** Returns the first unclaimed row; a number beyond the last row if all rows are claimed. */
  int claims() {
    return claims.get() - unused;
  }

  boolean claim(int row) {
    return claims.compareAndSet(row + unused, row + unused + 1);
  }

  /** Ends the batch at the end of its stream: the batch has no rows from {@code row} on. */
  void endAt(int row, boolean dropLast) {
    if (claims.compareAndSet(row + unused, capacity)) {
      claimed = dropLast ? 0 : row;
      retire(capacity - unused - row, null);
    }
  }

  /** Cancels the batch: unclaimed rows are never written, and nothing is delivered. */
  void cancel() {
    cancelled = true;
    int unclaimed = capacity - claims.getAndSet(capacity);
    if (unclaimed > 0) {
      retire(unclaimed, null);
    }
  }

  boolean isMadeByConsumer() {
    return options.numWorkers() == 0;
  }

  boolean cancelled() {
    return cancelled;
  }

  // ---- rows ---------------------------------------------------------------------------------

  void work(WorkerClock clock) {
    clock.switchBatch(times);
    WorkerClock timer = clock.timing() ? clock : null;
    boolean atOnce = rows.claimsWait();
    int filled = 0;
    try {
      int row;
      while ((row = claim(clock)) >= 0) {
        fill(row, timer);
        if (atOnce) {
          finish(1, clock);
        } else {
          filled++;
        }
      }
    } finally {
      finish(filled, clock);
    }
  }

  /**
   * Makes the sample of a claimed row and writes the sample into the row. Never throws. The row is
   * finished when {@link #finish} counts it.
   *
   * @param timer null if the sample is not timed; no clock is then read
   */
  void fill(int row, @Nullable WorkerClock timer) {
    try {
      forgetInterrupt();
      if (!cancelled) {
        make(row, timer);
      }
    } finally {
      rows.release(row);
      forgetInterrupt();
      if (timer != null) {
        timer.end();
      }
    }
  }

  private void make(int row, @Nullable WorkerClock timer) {
    long index = -1;
    try {
      index = rows.index(row);
      indices[row] = index;
      if (!assembly.isDoomed()) {
        // Never null, and passed only to the dataset, so that the JIT compiler removes the
        // allocation if the dataset does not keep the context.
        WorkerContext context =
            new WorkerContext(options.seed(), source.epoch(), index, rows.occurrence(row), timer);
        try {
          T sample = Objects.requireNonNull(rows.get(row, index, context), "the sample is null");
          if (assembly.byRows()) {
            context.enter(LoaderException.Stage.COLLATE);
            RowCollator.Plan<T> plan = assembly.plan(row, sample);
            context.enter(LoaderException.Stage.WRITE);
            if (plan != null) {
              plan.write(sample, assembly.row(row));
            }
          } else {
            assembly.keep(row, sample);
          }
        } catch (Throwable cause) {
          fail(row, context.stage(), index, cause);
        }
      }
    } catch (Throwable cause) {
      fail(row, LoaderException.Stage.READ, index, cause);
    }
  }

  private void fail(int row, LoaderException.Stage stage, long index, Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    assembly.fail(row, stage, index, cause);
  }

  void finish(int filled, WorkerClock clock) {
    if (filled > 0) {
      // The times are read as soon as 'retire' has counted all rows of the batch.
      clock.charge(times);
      retire(filled, clock);
    }
  }

  /**
   * Clears an interrupt that user code left set in a worker: the interrupt concerns no other
   * sample. An interrupt that ends the worker comes only after the batch was cancelled. The
   * consumer's own thread keeps its interrupts.
   */
  private void forgetInterrupt() {
    if (options.numWorkers() > 0) {
      Thread.interrupted();
    }
  }

  private void retire(int rows, @Nullable WorkerClock clock) {
    if (pending.addAndGet(-rows) == 0) {
      try {
        if (!cancelled && claimed > 0) {
          times.assembledBy(clock);
          assembly.finish(claimed);
        }
      } finally {
        engine.finished(this);
      }
    }
  }

  // ---- delivery -----------------------------------------------------------------------------

  /** Returns the batch's memory to the engine: the batch was closed, or is not delivered. */
  void giveBack() {
    engine.takeBack(slot);
  }

  Batch deliver() {
    Batch batch = null;
    try {
      batch =
          Batch.of(
              assembly.entries(),
              Arrays.copyOf(indices, assembly.rows()),
              assembly.valid(),
              source.epoch(),
              number(),
              this::giveBack);
      return batch;
    } finally {
      if (batch == null) {
        giveBack();
      }
    }
  }

  BatchAssembly<T> assembly() {
    return assembly;
  }

  /** Returns the number of claimed rows, each of which uses up a position of the epoch. */
  int claimed() {
    return claimed;
  }

  int capacity() {
    return capacity;
  }

  @Override
  public long epoch() {
    return source.epoch();
  }

  @Override
  public long number() {
    return rows.number();
  }

  @Override
  public long index(int row) {
    try {
      return rows.index(row);
    } catch (RuntimeException | Error e) {
      // The row fails with this exception; a report on the row has no index.
      return -1;
    }
  }

  @Override
  public String describe(int row) {
    long index = index(row);
    try {
      String described = rows.describe(row, index);
      return described == null ? "index " + index : described;
    } catch (RuntimeException | Error e) {
      // The sample itself may be fine; only a report on the row has no description.
      return "index " + index;
    }
  }

  List<Long> mark() {
    return rows.mark();
  }

  FinishedBatch finished() {
    boolean failed = assembly.failure() != null;
    return new FinishedBatch(
        this,
        claimed,
        failed || assembly.empty() ? 0 : assembly.valid(),
        failed ? 0 : assembly.tolerated().size(),
        failed,
        source.dataset().isEmpty(),
        times);
  }

  BatchTimes times() {
    return times;
  }

  EpochSource<T> source() {
    return source;
  }

  Slot slot() {
    return slot;
  }

  boolean done() {
    return done;
  }

  void markDone() {
    done = true;
  }
}
