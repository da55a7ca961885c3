package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Counts;
import io.feedline.sampler.WorldInfo;
import io.feedline.stats.internal.WorkerClock;
import java.io.EOFException;
import java.io.IOError;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An epoch of a dataset that is read from front to back: one worker at a time reads, all workers
 * make the samples. Since the order of reading is the order of the rows, the batches do not depend
 * on the number of workers.
 *
 * <p>Workers read under a lock of this object. A thread that holds the lock may take the engine's
 * lock, never the other way round.
 */
final class StreamedEpoch<T> implements EpochSource<T> {

  private static final Logger LOG = LoggerFactory.getLogger(StreamedEpoch.class);

  /** The number of samples that are read before memory is allocated for a larger first batch. */
  private static final int LARGE = 1 << 8;

  /** The number of rows above which a whole first batch is read before memory is allocated. */
  private static final int HUGE = 1 << 16;

  private final StreamedEpochs<T> epochs;
  private final EpochStream<T> stream;
  private final long epoch;
  private final EpochPlace from;

  /** The position at which the epoch ends; if the stream ends earlier, missing samples fail. */
  private final OptionalLong limit;

  private final OptionalLong declared;
  private final Set<Long> ahead;

  private final ReentrantLock reading = new ReentrantLock();
  private long position;

  private final Deque<StreamedSample<T>> front = new ArrayDeque<>();

  private boolean begun;
  private boolean streamClosed;
  private boolean warned;
  private boolean lost;

  private long next;
  private volatile boolean ended;
  private volatile boolean closed;
  private final Cancellation byWorkers = new Cancellation(() -> closed, false);
  private final Cancellation byConsumer = new Cancellation(() -> closed, true);

  /** Creates the epoch from a place on. The epoch owns the stream, which the first read opens. */
  StreamedEpoch(StreamedEpochs<T> epochs, EpochStream<T> stream, long epoch, EpochPlace from) {
    this.epochs = epochs;
    this.stream = stream;
    this.epoch = epoch;
    this.from = from;
    this.position = from.position();
    this.limit = epochs.positions(epoch);
    this.declared = epochs.declared(from.offset());
    this.ahead = Set.copyOf(from.ahead());
    this.next = firstBatch();
    leaveOutNumbers();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public OptionalLong batches() {
    return OptionalLong.empty();
  }

  @Override
  public long firstBatch() {
    return RankOrders.firstBatch(from.position(), from.offset(), epochs.batchSize());
  }

  @Override
  public long endBatch() {
    return Long.MAX_VALUE;
  }

  @Override
  public String datasetName() {
    return epochs.name();
  }

  @Override
  public boolean evenSteps() {
    return epochs.evenSteps();
  }

  @Override
  public Optional<Dataset<T>> dataset() {
    return Optional.empty();
  }

  @Override
  public int nextCapacity() {
    return ended ? 0 : epochs.batchSize();
  }

  @Override
  public BatchRows<T> open(int capacity) {
    Rows rows = new Rows(next++, capacity);
    leaveOutNumbers();
    return rows;
  }

  private void leaveOutNumbers() {
    while (ahead.contains(next)) {
      next++;
    }
  }

  /** Rows that are claimed when their samples are read; the worker that read a sample makes it. */
  private final class Rows implements BatchRows<T> {
    private final long number;
    private final int capacity;
    private boolean settled;

    private StreamedSample<T>[] read = room(0);

    private long[] positions = {};

    // The places of the samples in the source, for errors.
    private int[] shards = {};
    private long[] ordinals = {};

    /** The position of the stream after the last row; final when the batch is done. */
    private List<Long> end = List.of();

    Rows(long number, int capacity) {
      this.number = number;
      this.capacity = capacity;
    }

    @SuppressWarnings("unchecked") // The array gets samples of T only.
    private StreamedSample<T>[] room(int rows) {
      return (StreamedSample<T>[]) new StreamedSample<?>[rows];
    }

    /**
     * Allocates room for the rows. Before the first batch the stream's length is unknown: for a
     * large batch some samples are read first, for a huge batch all samples.
     */
    private void settle(BatchTask<T> task) throws InterruptedException {
      int rows = capacity;
      if (number == firstBatch()) {
        int ahead = capacity > HUGE ? capacity : capacity > LARGE ? LARGE : 0;
        boolean more = true;
        while (more && front.size() < ahead) {
          StreamedSample<T> drawn = closed ? null : read(task);
          more = drawn != null && front.add(drawn);
        }
        if (!more) {
          ended = true;
          end = markHere();
          rows = epochs.dropLast() ? 0 : front.size();
        }
      }
      settled = true;
      if (rows == 0) {
        task.endAt(0, epochs.dropLast());
      } else if (task.settle(rows)) {
        read = room(rows);
        positions = new long[rows];
        shards = new int[rows];
        ordinals = new long[rows];
      }
    }

    @Override
    public long number() {
      return number;
    }

    @Override
    public int claim(BatchTask<T> task, WorkerClock clock) throws InterruptedException {
      clock.waitToRead(reading);
      try {
        if (!settled) {
          settle(task);
        }
        int row = task.claims();
        if (row >= read.length) {
          return -1;
        }
        StreamedSample<T> drawn = closed ? null : front.isEmpty() ? read(task) : front.remove();
        if (drawn == null) {
          ended = true;
          end = markHere();
          task.endAt(row, epochs.dropLast());
          return -1;
        }
        read[row] = drawn;
        shards[row] = drawn.shard();
        ordinals[row] = drawn.ordinal();
        positions[row] = position++;
        if (row == read.length - 1 && !ended) {
          end = markHere();
        }
        return task.claim(row) ? row : -1;
      } finally {
        reading.unlock();
        closeIfAsked();
      }
    }

    @Override
    public boolean claimsWait() {
      return true;
    }

    /** Returns the sample's place in the whole stream, which no sample of another rank has. */
    @Override
    public long index(int row) {
      WorldInfo world = epochs.world();
      return from.offset() + positions[row] * world.worldSize() + world.rank();
    }

    @Override
    public T get(int row, long index, WorkerContext context) throws Exception {
      return read[row].get(context);
    }

    @Override
    public boolean isSample(int row) {
      return ordinals[row] >= 0;
    }

    @Override
    public void release(int row) {
      read[row] = null;
    }

    @Override
    public String describe(int row, long index) {
      String position = "position " + index + " of the stream";
      return shards[row] == StreamedSample.NO_SHARD
          ? position
          : position + ", " + stream.describe(shards[row], ordinals[row]);
    }

    @Override
    public List<Long> mark() {
      return end;
    }
  }

  /** Returns the stream's position; empty if the stream reports none, or is closed or lost. */
  private List<Long> markHere() {
    if (closed || lost) {
      return List.of();
    }
    try {
      return stream.mark();
    } catch (RuntimeException | Error e) {
      LOG.warn("the stream of {} does not report its position", epochs.name(), e);
      return List.of();
    }
  }

  private @Nullable StreamedSample<T> read(BatchTask<T> task) throws InterruptedException {
    long at = position + front.size();
    if (ended || lost || at >= limit.orElse(Long.MAX_VALUE)) {
      return null;
    }
    Cancellation before = (task.isMadeByConsumer() ? byConsumer : byWorkers).enter();
    try {
      goToPosition();
      StreamedSample<T> drawn = stream.next();
      if (drawn == null && limit.isPresent() && !closed) {
        return missing(at);
      }
      boolean fewer = drawn == null && !closed && at < declared.orElse(0);
      boolean more = drawn != null && at >= declared.orElse(Long.MAX_VALUE);
      if ((fewer || more) && !warned) {
        warned = true;
        LOG.warn(
            "{} declares {}, but delivers {} in epoch {}",
            epochs.name(),
            Counts.of(declared.getAsLong(), "sample"),
            more ? "more" : at,
            epoch);
      }
      return drawn;
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException interrupt && task.isMadeByConsumer()) {
        throw interrupt;
      }
      // The failure takes the place of the sample that could not be read.
      return new StreamedSample<>(null, failure, StreamedSample.NO_SHARD, StreamedSample.LOST);
    } finally {
      before.enter();
    }
  }

  /** Returns a failure for a declared, but missing sample, so the rank's epoch is not shorter. */
  private StreamedSample<T> missing(long at) {
    return new StreamedSample<>(
        null,
        new EOFException(
            "the shards of this rank end after %s in epoch %d, and declare %d or more (shardSize)"
                .formatted(Counts.of(at, "sample"), epoch, limit.getAsLong())),
        StreamedSample.NO_SHARD,
        0);
  }

  /** Skips delivered samples. A failure loses the stream: the places of its samples are unknown. */
  private void goToPosition() {
    try {
      if (!begun) {
        begun = true;
        long reached = stream.goTo(from.position(), from.mark());
        if (reached < from.position() - from.rounding()) {
          throw new EOFException(
              "epoch %d of %s has %s for this rank, and the loader's state stands behind %d: the data have been changed, or the state"
                  .formatted(epoch, epochs.name(), Counts.of(reached, "sample"), from.position()));
        }
      }
      int batchSize = epochs.batchSize();
      while (ahead.contains(firstBatch() + (position - from.position()) / batchSize)) {
        stream.skip(batchSize);
        position += batchSize;
      }
    } catch (Exception | Error failure) {
      lost = true;
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw failure instanceof Error error ? error : new IOError(failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    closeIfAsked();
  }

  /** Closes a closed epoch's stream; if a worker reads, that worker closes it after reading. */
  private void closeIfAsked() {
    if (closed && reading.tryLock()) {
      try {
        if (!streamClosed) {
          streamClosed = true;
          front.clear();
          stream.close();
        }
      } catch (IOException | RuntimeException | Error e) {
        LOG.warn("closing the stream of {} failed", epochs.name(), e);
      } finally {
        reading.unlock();
      }
    }
  }
}
