package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.stats.internal.WorkerClock;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An epoch of a dataset with random access: workers claim rows by an increment. */
final class IndexedEpoch<T> implements EpochSource<T> {

  private final RemainingBatches<T> batches;

  /** The dataset's name, read before any sample: a failing {@code name()} fails the whole epoch. */
  private final String name;

  private final Substitutes substitutes;
  private final long end;
  private long next;

  private int nextSize;

  private @Nullable Throwable nextFailure;

  private ReadAheadWindow<T>.Walk walk;

  IndexedEpoch(RemainingBatches<T> batches, Substitutes substitutes) {
    this.batches = batches;
    this.name = batches.dataset().name();
    this.substitutes = substitutes;
    this.end = batches.firstBatch() + batches.order().batches();
    this.next = batches.firstBatch();
    leaveOut();
  }

  private void leaveOut() {
    while (!batches.leftOut().isEmpty() && batches.leftOut().contains(next)) {
      next++;
    }
  }

  @Override
  public long epoch() {
    return batches.epoch();
  }

  @Override
  public OptionalLong batches() {
    return OptionalLong.of(end - batches.firstBatch() - batches.leftOut().size());
  }

  @Override
  public long samples(int most) {
    return batches.cursor().samples(most);
  }

  @Override
  public long firstBatch() {
    return batches.firstBatch();
  }

  @Override
  public long endBatch() {
    return end;
  }

  @Override
  public String datasetName() {
    return name;
  }

  @Override
  public boolean evenSteps() {
    return batches.orders().evenSteps();
  }

  @Override
  public Optional<Dataset<T>> dataset() {
    return Optional.of(batches.dataset());
  }

  @Override
  public int nextCapacity() {
    if (next >= end) {
      return 0;
    }
    if (nextSize == 0) {
      try {
        nextSize = sizeOf(next);
      } catch (Throwable failure) {
        // The failure concerns this batch alone: its only row reports it, at the batch's turn.
        nextSize = 1;
        nextFailure = failure;
      }
    }
    return nextSize;
  }

  private int sizeOf(long batch) {
    int size = batches.order().batchSize(batch - batches.firstBatch());
    if (size < 1) {
      throw new IllegalStateException(
          "the batch sampler gives batch %d of epoch %d the size %d; a batch has one sample or more"
              .formatted(batch, batches.epoch(), size));
    }
    return size;
  }

  @Override
  public BatchRows<T> open(int capacity) {
    Rows rows = new Rows(next++, nextFailure);
    leaveOut();
    nextSize = 0;
    nextFailure = null;
    return rows;
  }

  private final class Rows implements BatchRows<T> {
    private final long number;

    private final long place;

    private final ReadAheadWindow<T>.Walk ahead;

    private final @Nullable Throwable failure;

    Rows(long number, @Nullable Throwable failure) {
      this.number = number;
      this.place = number - batches.firstBatch();
      this.failure = failure;
      this.ahead = walk == null || walk.findsNothing() ? null : walk;
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public int claim(BatchTask<T> task, WorkerClock clock) {
      return task.claimNext();
    }

    @Override
    public boolean claimsWait() {
      return false;
    }

    @Override
    public long index(int row) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw new IllegalStateException(
            "the batch sampler does not return the size of batch " + number, failure);
      }
      return batches.order().indexAt(place, row);
    }

    @Override
    public long occurrence(int row) {
      return batches.order().occurrence(place, row);
    }

    @Override
    public T get(int row, long index, WorkerContext context) throws Exception {
      return ahead == null ? batches.dataset().get(index, context) : getAhead(row, index, context);
    }

    private T getAhead(int row, long index, WorkerContext context) throws Exception {
      AnnouncedReads reads = ahead.take(number, row);
      if (reads == null) {
        return batches.dataset().get(index, context);
      }
      context.announced(reads);
      try {
        reads.check();
        return batches.dataset().get(index, context);
      } finally {
        context.announced(null);
        reads.close();
      }
    }

    @Override
    public boolean isSample(int row) {
      return failure == null;
    }

    @Override
    public long substitute(int row, long seed, int attempt) {
      return substitutes.index(seed, batches.epoch(), place, row, attempt);
    }

    @Override
    public void release(int row) {
      if (ahead != null) {
        ahead.discard(number, row);
      }
    }

    @Override
    public String describe(int row, long index) {
      return batches.dataset().describe(index);
    }
  }

  @Override
  public void readAhead(ReadAheadWindow<T> window) {
    walk = window.new Walk(batches);
  }

  @Override
  public void close() {
    if (walk != null) {
      walk.close();
    }
  }
}
